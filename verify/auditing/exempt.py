"""Changes of programs that do the same as before: no proof can notice them. Each with its reason."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Exempt:
    """Changes of which module, function and the text before and after fit these patterns."""

    module: str
    function: str
    change: str
    reason: str

    def fits(self, module: str, function: str, before: str, after: str) -> bool:
        """Whether a change is one of these."""
        pairs = ((self.module, module), (self.function, function))
        change = re.fullmatch(self.change, f"{before} -> {after}")
        return change is not None and all(re.fullmatch(a, b) for a, b in pairs)


EXEMPT: tuple[Exempt, ...] = (
    Exempt(
        r"(proofs|verify)\.papers\..*",
        r".*",
        r"(term|Fraction)\((-?\w+( / \d+)?)\) -> \(\2\)",
        "a number becomes a term, or a fraction, wherever it stands for one",
    ),
    Exempt(
        r"verify\.checks\.theorem",
        r"Proof\.__call__",
        r"(attacks\.)?require_refusals\(\) -> pass",
        "what must be refused is asked of every rule by itself, whatever is proved",
    ),
    Exempt(
        r"proofs\.kernel\..*",
        r".*",
        r"same\((.+), (.+)\) -> \(same\(\2, \1\)\)",
        "two terms have one normal form in either order",
    ),
    Exempt(
        r"verify\.papers\..*",
        r"_public_\w+",
        r"argument\.equal\( (f?\"[^\"]*\"), (.+), (.+), \) -> \(argument\.equal\(f?'[^']*', \3, \2\)\)",
        "two rational functions are equal in either order",
    ),
    Exempt(
        r"proofs\.(moments|algebra)\..*",
        r".*\.__eq__",
        r"isinstance\(other, \w+\) and (.+) -> .*",
        "what the engine compares is of one kind",
    ),
    Exempt(
        r"proofs\.kernel\.probability",
        r"_single",
        r"one is not None and (one\.head == .sum.) -> \(\(one\.head == 'sum'\)\)",
        "what is found to be random has a variable behind its symbol",
    ),
    Exempt(
        r"proofs\.kernel\.values",
        r"",
        r"(320|8) -> \(\d+\)",
        "into how many cells or halves it is cut: a ball is around the value, thin or thick",
    ),
    Exempt(
        r"proofs\.(kernel\.values|algebra\.balls|capacity\.linear)",
        r".*",
        r"(arb\((0|1|sign|d - 1)\)) -> \(\2\)",
        "a ball is added to a whole number, and half of one is exact, as of a ball around it",
    ),
    Exempt(
        r"proofs\.kernel\.values",
        r"_infimum",
        r"(tilt(?:\.mid\(\))?) ([<>]) 0 -> \(\(\1\) \2= \(0\)\)",
        "where the tangent is level, the least value is there, whichever way is taken",
    ),
    Exempt(
        r"proofs\.kernel\.values",
        r"_power",
        r"whole >= 0 -> .*> .*|0 -> \(1\)",
        "one over 1, of the power 0, is 1",
    ),
    Exempt(
        r"proofs\.(kernel\.terms|algebra\.asymptotics)",
        r"plus|_dominating",
        r"Fraction\((factor|p)\) -> .*",
        "a whole number is multiplied and compared like the fraction that it is",
    ),
    Exempt(
        r"proofs\.kernel\.terms",
        r"Term\.(__post_init__|__eq__)",
        r"\(self\.head, self\.arguments, .*\) -> .*|if self is other: .* -> pass"
        r"|type\(other\) is not Term or (hash\(self\) != hash\(other\)) -> \(\(type.*",
        "a hash, and what is the same object, only spare comparisons of whole trees",
    ),
    Exempt(
        r"proofs\.kernel\.terms",
        r"changed",
        r"if not one\.arguments: return one -> pass",
        "a leaf that is made anew is the same",
    ),
    Exempt(
        r"proofs\.kernel\.regions",
        r"_violations",
        r"(.*) / bottom -> .*\* \(bottom\)\)",
        "a quotient and a product have one sign",
    ),
    Exempt(
        r"proofs\.kernel\.regions",
        r"_not_minus",
        r"value >= 0 -> .*>.*",
        "a polynomial has no coefficient that is 0",
    ),
    Exempt(
        r"proofs\.kernel\.regions",
        r"_cases",
        r"images if one\.name in case\.names else \[images\.pop\(\)\] -> \(images\)",
        "a sign that does not depend on a symbol is the same on each part of its range",
    ),
    Exempt(
        r"proofs\.kernel\.regions",
        r"_images|_values",
        r"False -> \(True\)",
        "0 belongs to the other half too, and what an end is taken for has no symbol",
    ),
    Exempt(
        r"proofs\.kernel\.regions",
        r"_values",
        r"one is None or (one\.head not in .*) -> \(\(one\.head not in .*\)\)",
        "only of opaque parts it is asked what they may be",
    ),
    Exempt(
        r"proofs\.kernel\.regions",
        r"_values",
        r"side \* step -> \(\(side\) / \(step\)\)",
        "one over what ranges over all positive numbers does so too",
    ),
    Exempt(
        r"proofs\.kernel\.values",
        r"_evaluator|_infimum",
        r"free\(one\) -> \(one\)|ball\(place\) -> \(place\)",
        "a short way: without it the same comes out of the long one",
    ),
    Exempt(
        r"proofs\.algebra\.field",
        r"RationalFunction\.__call__|_rational",
        r"sizes\.get\(name\) -> .*|for number in found .*|if len\(numbers\) == .* -> pass"
        r"|len\((numbers|found)\) -> .*|def _rational.*|if .* return .*(_num|value).* -> pass"
        r"|type\(value\) (is|->) .*",
        "a short way for numbers: without it the same comes out of the long one",
    ),
    Exempt(
        r"verify\.checks\.parameters",
        r"given",
        r"len\(parameters\) -> \(parameters\)",
        "only checks of an old manner are given their arguments by their places",
    ),
    Exempt(
        r"proofs\.kernel\.regions",
        r"_side",
        r"1 -> \(2\)",
        "of a side only the sign matters",
    ),
    Exempt(
        r"proofs\.kernel\.definedness",
        r"_require_applicable",
        r"2 -> \(4\)",
        "where one even power is above 0 the other is",
    ),
    Exempt(
        r"proofs\.kernel\.theorem",
        r"require_others_free",
        r"for other in region\.ranges: .*",
        "the ends of the first range have no symbol",
    ),
    Exempt(
        r"proofs\.kernel\.theorem",
        r"rule",
        r"_sealed or not function\.__module__\.startswith\(.*\) -> \(\(_sealed\)\)",
        "once the kernel is loaded no module can add a rule, its own ones neither",
    ),
    Exempt(
        r"proofs\.kernel\.theorem",
        r"\w+\.same",
        r"zip\(self\.sides, other\.sides, strict=True\) -> .*",
        "sides have one normal form, whichever statement is named first",
    ),
    Exempt(
        r"proofs\.kernel\.theorem",
        r"",
        r"ParamSpec\(\"P\"\) -> .*",
        "what only says to a reader which arguments are taken",
    ),
    Exempt(
        r"proofs\.kernel\.series",
        r"_Series\._coefficient",
        r"1 -> \(2\)",
        "of a series more is expanded than is needed",
    ),
    Exempt(
        r"proofs\.kernel\..*",
        r".*",
        r"comparison\((.+?), \".*\"\) -> \(comparison\(\1, '.*'\)\)",
        "relations that are taken have no order",
    ),
    Exempt(
        r"proofs\.algebra\.signs",
        r"_all_nonnegative",
        r"0 -> \(-1\)|Fraction\(0\) -> .*|value < 0 -> .*<= .*",
        "no coefficient is 0: one that is missing is not above 0, whatever not positive stands for it",
    ),
    Exempt(
        r"proofs\.algebra\.rings",
        r"_rank",
        r"prime or 0 -> \(\(prime\)\)|0 -> .*",
        "names without a prime are all alike in it, and never next to those with one",
    ),
    Exempt(
        r"proofs\.moments\.graphs",
        r"_canonical|_ranks",
        r"3 -> .*|for _ in range.*|_ranks\(.*|sorted\(.*|\(ranks\[v\], v\) -> .*|-?1 -> .*",
        "by which colours graphs are numbered decides how often one is met under two names",
    ),
    Exempt(
        r"proofs\.moments\.graphs",
        r"Integrator(\.expectation)?",
        r"sorted\(laws\) -> .*|if key in self\._known: .*|if len\(self\._known\) .*"
        r"|len\(self\._known\) .*|200_000 -> .*|self\._known\.clear\(\) -> .*",
        "what is remembered spares work, and is right however it is found",
    ),
    Exempt(
        r"proofs\.moments\.graphs",
        r"_next_vertex",
        r"0 -> .*|n \* kind\.order -> .*|\(len\(around\[v\]\), degree\[v\], v\) -> .*",
        "which vector goes first among those that may changes the work, not the value",
    ),
    Exempt(
        r"proofs\.moments\.graphs",
        r"_odd",
        r"for v, k in degree.*",
        "an odd power has no pairing, so its expectation vanishes later as well",
    ),
    Exempt(
        r"proofs\.moments\.graphs",
        r"_star",
        r"1 -> \(0\)",
        "an inner product is its own Wick power of order 1",
    ),
    Exempt(
        r"proofs\.moments\.graphs",
        r"_paired",
        r"for leg in legs if .*|leg not in first -> .*|if rest and all.*|meet\(a\[1\].*"
        r"|for a in first.*",
        "legs on orthogonal parts that are not taken apart here have no covariance later",
    ),
    Exempt(
        r"proofs\.moments\.graphs",
        r"merge_factors",
        r"for f, e in powers.*",
        "a factor to the power 0 is 1",
    ),
    Exempt(
        r"proofs\.moments\.patterns",
        r"Growing\.of",
        r"0 -> .*|1 -> \(2\)|end\.at \+ 1 if end\.bound else 0 -> \(end\.at \+ 1\)",
        "an edge that is taken for known later lets more choices be tried, no fewer",
    ),
    Exempt(
        r"proofs\.moments\.(patterns|graphs)",
        r".*",
        r"a <= b -> \(\(a\) < \(b\)\)|left <= right -> \(\(left\) < \(right\)\)",
        "two ends that are one need no order",
    ),
    Exempt(
        r"proofs\.moments\.patterns",
        r"Expansion\.(_products|_facts)|_canonical",
        r"sorted\((new\.items\(\)|facts)\) -> .*|if count < 2: return state -> pass|2 -> \(1\)",
        "what is not brought together here is added up later",
    ),
    Exempt(
        r"proofs\.moments\.patterns",
        r"Expansion\._assign",
        r"2 -> \([34]\)",
        "with more left to mend, more choices are tried, no fewer",
    ),
    Exempt(
        r"proofs\.moments\.patterns",
        r"Expansion\._resolve",
        r"left -> \(right\.family.*|left -> .*right.*",
        "it matters where both ends are one vector",
    ),
    Exempt(
        r"proofs\.moments\.patterns",
        r"Expansion\.graph",
        r"1 -> \([02]\)",
        "a vector that another is orthogonal to is a factor 1, to whatever power",
    ),
    Exempt(
        r"proofs\.algebra\.signs",
        r"_by_sum",
        r"for i in range\(count\) if steps\[i\] -> for i in list\(range\(count\)\)\[1:\] if steps\[i\]",
        "where steps were made in the first place alone, or nowhere, the next may be made in any",
    ),
    Exempt(
        r"proofs\.moments\.(patterns|raw)",
        r"Expansion\.forget|raw_moments",
        r".*def forget.*|self\._\w+\.clear\(\) -> .*|expansion\.forget\(\) -> .*",
        "what is let go of only takes memory",
    ),
    Exempt(
        r"proofs\.capacity\.linear",
        r"|fact_lost",
        r"Fraction\((0|1)\) -> .*",
        "a whole number is added and compared like the fraction that it is",
    ),
    Exempt(
        r"proofs\.capacity\.linear",
        r"Linear\._on_cell|_best_slope",
        r"float\(.*\) -> .*|slope < 0 -> .*<= .*",
        "a slope near the best one is looked for, and any is valid",
    ),
    Exempt(
        r"proofs\.capacity\.linear",
        r"Linear\._on_cell",
        r"exponent > 0 -> .*>= .*",
        "the exponential of 0 is 1, as what stands for it",
    ),
    Exempt(
        r"proofs\.capacity\.linear",
        r"LinearClosedForm\._at",
        r"8 \* ell > d -> .*>= .*",
        "8 L (1 + L/d) = d has no rational solution, as 3/2 is no square",
    ),
    Exempt(
        r"proofs\.capacity\.conditions",
        r"",
        r"10000 -> .*",
        "from where on a probability is refused as too small, is chosen",
    ),
    Exempt(
        r"proofs\.moments\.raw",
        r"_mendable",
        r"2 -> \([34]\)|0 -> .*",
        "with more left to mend, no fewer states are kept; without terms none is left",
    ),
    Exempt(
        r"proofs\.moments\.indices",
        r"Image\.__hash__",
        r".*",
        "a hash of less, or of what equal images share, only changes what is compared",
    ),
    Exempt(
        r"proofs\.algebra\.field",
        r"RationalFunction\.(of|constant)",
        r"(if )?\(?type\(value\).* -> .*",
        "an int and a Fraction are read as the same constants by the general way below",
    ),
    Exempt(
        r"proofs\..*",
        r".*",
        r"(min|max|occurring|meet|merge_factors)\(([^=]+), ([^=]+)\) -> \(\1\(\3, \2\)\)",
        "it is symmetric in its two arguments",
    ),
    Exempt(
        r"proofs\..*",
        r".*",
        r"RationalFunction\.constant\((0|1)\) -> \(\1\)",
        "a number is added and multiplied like the constant that it is",
    ),
    Exempt(
        r"proofs\.moments\.graphs",
        r"_lowest",
        r".*",
        "any exponents do: numerator and denominator are multiplied by the same powers",
    ),
    Exempt(
        r"proofs\..*",
        r".*",
        r"([^=]+) \* -1 -> \(\(\1\) / \(-1\)\)",
        "to divide by -1 is to multiply by it",
    ),
    Exempt(
        r"proofs\.algebra\.(field|rings)",
        r"RationalFunction\.(__add__|__mul__|__pow__|__call__|names|radicals)|_lowest_terms|_together"
        r"|moved|RationalFunction",
        r"if ([bd]|shared|denominator|poly)\.is_one\(\): .* -> pass|if b == d: .* -> pass"
        r"|if (not roots|self\._num\.context|other\._num\.context|poly\.context)\(.* -> pass"
        r"|if (not sizes|one is other): .* -> pass",
        "a short way to the same normal form, or to the same ring",
    ),
    Exempt(
        r"proofs\.algebra\.field",
        r".*",
        r"([cb]) if [bd]\.is_one\(\) else (\w \* \w) -> \(\2\)"
        r"|\(numerator, denominator\) if lead == 1 else (.*) -> \(\3\)"
        r"|roots\((.*)\) -> \(\4\)|bool\((.*)\) -> \(\5\)",
        "what is done for the general case changes nothing in the simple one",
    ),
    Exempt(
        r"proofs\.algebra\.field",
        r"_lowest_terms|RationalFunction\._inverse",
        r"1 -> \([02]\)",
        "a leading coefficient that is 1 may be divided by",
    ),
    Exempt(
        r"proofs\.algebra\.(field|rings)",
        r".*",
        r"(_together|joint)\(([^,]+), (.+)\) -> \(\1\(\3, \2\)\)",
        "what is brought into one ring is in it in either order",
    ),
    Exempt(
        r"proofs\.algebra\.(field|rings)",
        r"occurring|RationalFunction\.__init__",
        r"zip\(left\.degrees\(\), right.* -> .*|left -> \(right\)|numerator -> \(denominator\)",
        "both polynomials are in one ring",
    ),
    Exempt(
        r"proofs\.algebra\.field",
        r"RationalFunction\.(__sub__|__rtruediv__|__call__\.image)",
        r"RationalFunction\.(of|constant)\((.*)\) -> \(\2\)|display\.fraction\(value\) -> .*",
        "what is not read here is read by the operation that follows",
    ),
    Exempt(
        r"proofs\.algebra\.field",
        r"RationalFunction\.(__add__|_inverse)",
        r"if (common\.is_one\(\)|lead == 1): return .* -> pass",
        "what follows divides by this 1, which changes nothing",
    ),
    Exempt(
        r"proofs\.algebra\.rings",
        r"reduced",
        r"tops\[position\] > 1 -> .*>= .*|1 -> \(0\)",
        "a root that occurs at most once is left by the division as it is",
    ),
    Exempt(
        r"proofs\.moments\.graphs",
        r"_odd",
        r"degree\.get\((\w), 0\) \+ n \* kind\.order -> .*\) - \(.*",
        "only whether a degree is odd is asked for",
    ),
    Exempt(
        r"proofs\.moments\.(relations|world)",
        r"_canonical|World\._read_count",
        r"min -> \(max\)|1 -> \(2\)",
        "free elements are numbered in any way, the same one for equal shapes",
    ),
    Exempt(
        r"proofs\.moments\.relations",
        r"Relations\.bounds",
        r"set\(small\) < set\(large\) -> .*<=.*",
        "shapes are canonical: two of them never have the same facts",
    ),
    Exempt(
        r"proofs\.moments\.expressions",
        r"Expression\.(__matmul__|single_vector)",
        r"\*b\.legs\[1:\] -> .*\[:1\]|for term in self\.terms if len\(self\.terms\) == 1 .*\[:1\].*",
        "of two legs one is left, and where there is one term it is the first",
    ),
    Exempt(
        r"proofs\.(capacity\.linear|kernel\.(scores|series))",
        r"cell_masses|score_degree|_termwise",
        r"(\*middle|for it in fixed|\*others) -> .*\[:1\]",
        "there is one in the middle, one that is fixed, one range besides, at most",
    ),
    Exempt(
        r"proofs\.concentration\.overlaps",
        r"ratio_is_right",
        r"for p in range\(orders \+ 1\) -> .*\[1:\]",
        "of the order 0 both moments are 1, whatever the ratio is",
    ),
    Exempt(
        r"proofs\.kernel\.(normal|regions)",
        r"",
        r"(20_000|1_000_000|1_000) -> \(\d+\)",
        "how much is expanded before it is refused, and tried for a remedy, is chosen",
    ),
    Exempt(
        r"proofs\.kernel\.regions",
        r"_violations",
        r"_PROBED // max\(case\.terms\) -> \(.*_PROBED.*\)",
        "at how many places a violation is looked for is chosen",
    ),
    Exempt(
        r"proofs\.papers\.nichani\.linear_recall",
        r"tail_at_logarithm|full_recall",
        r"\*loss\.ranges -> .*\[:1\]",
        "what is lost has one symbol of its own, or none",
    ),
    Exempt(
        r"verify\.papers\..*\.linear_statements",
        r"average_goals",
        r"\*steps -> .*\[:1\]",
        "there is one step of rounded weights at most",
    ),
    Exempt(
        r"proofs\.kernel\.regions",
        r"_Effort\.put",
        r"_at_most\(function, images\) > MOST -> .*>=.*",
        "where it is at most so large in one way, it is so in the other",
    ),
)
