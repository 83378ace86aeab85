"""Gradient flow of the linear attention model on the factual recall task.

Serves Sec. 5 of arXiv 2412.06538 (Theorems 5 and 6, Figure 5). `world` is the population, `weights`
the parameters and their starts, `population` losses and gradients, `enumeration` the same from all
sequences; `integrate` is the flow, `logscale` the flow from any initial scale, of `log_weights`, both
run by `stepping`; `symmetric` solves it for balanced tables; `descent` takes steps; `conserved` is what
stays; `arguments` checks what they are given.
"""

from numerics.flow.conserved import conserved, drift
from numerics.flow.descent import Descent, gradient_descent, sgd
from numerics.flow.enumeration import (
    autograd_gradient,
    autograd_loss,
    enumerated_gradient,
    enumerated_loss,
    sequences,
)
from numerics.flow.integrate import Trajectory, integrate
from numerics.flow.log_weights import (
    Kept,
    LogWeights,
    balanced_log,
    conserved_log,
    equal_log,
    log_losses,
    log_predictions,
    log_residuals,
    to_log,
)
from numerics.flow.logscale import LogTrajectory, integrate_log
from numerics.flow.population import Losses, gradient, loss, losses, predictions, residuals
from numerics.flow.stepping import StoppedByUser
from numerics.flow.symmetric import SymmetricFlow, SymmetricWorld
from numerics.flow.weights import Weights, balanced, collapse, equal, expand, random
from numerics.flow.world import FlowWorld

__all__ = [
    "Descent",
    "FlowWorld",
    "Kept",
    "LogTrajectory",
    "LogWeights",
    "Losses",
    "StoppedByUser",
    "SymmetricFlow",
    "SymmetricWorld",
    "Trajectory",
    "Weights",
    "autograd_gradient",
    "autograd_loss",
    "balanced",
    "balanced_log",
    "collapse",
    "conserved",
    "conserved_log",
    "drift",
    "enumerated_gradient",
    "enumerated_loss",
    "equal",
    "equal_log",
    "expand",
    "gradient",
    "gradient_descent",
    "integrate",
    "integrate_log",
    "log_losses",
    "log_predictions",
    "log_residuals",
    "loss",
    "losses",
    "predictions",
    "random",
    "residuals",
    "sequences",
    "sgd",
    "to_log",
]
