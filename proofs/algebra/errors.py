"""The two ways in which exact algebra refuses to answer."""


class ExactnessError(ValueError):
    """Something inexact, or not a rational function, was handed to exact algebra."""


class UndecidedError(ArithmeticError):
    """The method at hand neither proves nor refutes; never to be read as either."""
