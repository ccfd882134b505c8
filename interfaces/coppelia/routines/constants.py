"""The constants of the routines, under their names."""

from __future__ import annotations

from typing import Final

ik_handleflag_tipdummy: Final = 0x00400000

ik_handle_world: Final = -1
ik_handle_all: Final = -2
ik_handle_parent: Final = -11

ik_objecttype_joint: Final = 1
ik_objecttype_dummy: Final = 4

ik_jointmode_passive: Final = 0
ik_jointmode_ik: Final = 2

ik_jointtype_revolute: Final = 10
ik_jointtype_prismatic: Final = 11
ik_jointtype_spherical: Final = 12

ik_constraint_x: Final = 1
ik_constraint_y: Final = 2
ik_constraint_z: Final = 4
ik_constraint_position: Final = 7
ik_constraint_alpha_beta: Final = 8
ik_constraint_gamma: Final = 16
ik_constraint_orientation: Final = 24
ik_constraint_pose: Final = 31

ik_method_pseudo_inverse: Final = 0
ik_method_damped_least_squares: Final = 1
ik_method_jacobian_transpose: Final = 2
ik_method_undamped_pseudo_inverse: Final = 3

ik_calc_notperformed: Final = 1
ik_calc_cannotinvert: Final = 2
ik_calc_notwithintolerance: Final = 16
ik_calc_stepstoobig: Final = 32
ik_calc_limithit: Final = 64
ik_calc_invalidcallbackdata: Final = 128

ik_group_enabled: Final = 1
ik_group_ignoremaxsteps: Final = 2
ik_group_restoreonbadlintol: Final = 4
ik_group_restoreonbadangtol: Final = 8
ik_group_stoponlimithit: Final = 16
ik_group_avoidlimits: Final = 64

#: Deprecated: what a calculation came to before results were bits.
ik_result_not_performed: Final = 0
ik_result_success: Final = 1
ik_result_fail: Final = 2
