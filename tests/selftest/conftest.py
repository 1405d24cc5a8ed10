"""The self-test runs on the same machine as the doctor: one home, an installed guard."""

from tests.doctor.conftest import doctor, installed

__all__ = ["doctor", "installed"]
