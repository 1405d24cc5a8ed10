"""Bounds on a failure rate. Sources are named, because a bound without its assumption misleads."""

import math


def zero_failure_bound(passes: int, confidence: float) -> float | None:
    """Upper bound of the failure rate after `passes` passes and no failure; None after none.

    The one-sided Clopper-Pearson bound for zero failures, 1 - (1 - confidence)^(1/n). It holds at
    every look, however often one looks: against "the rate is at least p" the likelihood ratio is
    (1 - p)^-n and drops to 0 at the first failure (Ville's inequality).
    """
    if passes == 0:
        return None
    return 1.0 - math.pow(1.0 - confidence, 1.0 / passes)


def upper_bound(failures: int, trials: int, confidence: float) -> float | None:
    """One-sided Clopper-Pearson upper bound; None without trials.

    With failures it holds for a number of trials fixed beforehand, not at every look.
    Source: Clopper and Pearson (1934), Biometrika 26(4), by way of the beta distribution.
    """
    if trials == 0:
        return None
    if failures >= trials:
        return 1.0
    if failures == 0:
        return zero_failure_bound(trials, confidence)
    # The same quantile as scipy.stats.beta.ppf, for a tenth of its import.
    from scipy.special import betaincinv

    return float(betaincinv(failures + 1, trials - failures, confidence))
