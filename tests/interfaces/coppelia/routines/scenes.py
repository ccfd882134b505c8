"""A small scene by routines alone."""

from kinetree.interfaces.coppelia import routines as ik


def planar_arm():
    """A base, three joints half a metre apart, a tip with a target, and a group; their handles by name."""
    ik.ikCreateEnvironment()
    handles = {"base": ik.ikCreateDummy("base").dummyHandle}
    parent = handles["base"]
    for k in range(3):
        joint = ik.ikCreateJoint(f"joint{k + 1}", ik.ik_jointtype_revolute).jointHandle
        ik.ikSetObjectParent(joint, parent, False)
        ik.ikSetObjectTransformation(joint, ik.ik_handle_parent, [0.5 if k else 0.0, 0, 0, 0, 0, 0, 1])
        ik.ikSetJointPosition(joint, 0.3)
        handles[f"joint{k + 1}"] = parent = joint
    handles["tip"] = ik.ikCreateDummy("tip").dummyHandle
    ik.ikSetObjectParent(handles["tip"], parent, False)
    ik.ikSetObjectTransformation(handles["tip"], ik.ik_handle_parent, [0.5, 0, 0, 0, 0, 0, 1])
    handles["target"] = ik.ikCreateDummy("target").dummyHandle
    ik.ikSetObjectTransformation(handles["target"], ik.ik_handle_world, [0.7, 0.9, 0, 0, 0, 0, 1])
    ik.ikSetTargetDummy(handles["tip"], handles["target"])
    handles["group"] = ik.ikCreateGroup("arm").ikGroupHandle
    handles["element"] = ik.ikAddElement(handles["group"], handles["tip"]).ikElementHandle
    ik.ikSetElementConstraints(handles["group"], handles["element"], ik.ik_constraint_x | ik.ik_constraint_y)
    ik.ikSetGroupCalculation(handles["group"], ik.ik_method_damped_least_squares, 0.05, 50)
    return handles
