"""`handle_or`: a group, and others in its place when it fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..joint import Joint
from .handle_groups import handle_groups
from .handle_result import HandleResult

if TYPE_CHECKING:
    from ..ik_group import IkGroup


def handle_or(group: IkGroup, *others: IkGroup) -> HandleResult:
    """Handles a group; when it fails, the next one from where the joints were, and so on.

    This is how a quick undamped group and a patient damped one are used together: near a singularity, or out of reach,
    the first throws the joints about, which is taken back before the second has its turn.

    Args:
        group: The first.
        others: Those that take their turns when it fails.

    Returns:
        The result of the group that succeeded, else of the last one, which the joints are left by.
    """
    environment = group.environment
    for other in others:
        environment._check_group(other)
    before = [(each, each._position, each._quaternion) for each in environment.objects if isinstance(each, Joint)]
    result = handle_groups(environment, [group])
    for other in others:
        if result:
            break
        for joint, position, quaternion in before:
            joint._position, joint._quaternion = position, quaternion
        result = handle_groups(environment, [other])
    return result
