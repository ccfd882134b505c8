"""SRDF files: a small one with everything in it, damaged ones, and the real ones of example-robot-data."""

import importlib.metadata
import logging
import math
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.kinematics import (
    Chain,
    CollisionDetector,
    FreeJoint,
    InvalidValueError,
    NodeSet,
    Srdf,
    SrdfError,
    StructureError,
    UnknownNameError,
)

PANDA = """<?xml version="1.0"?>
<robot name="panda">
  <group name="arm"><chain base_link="panda_link0" tip_link="panda_hand"/></group>
  <group name="wrist"><joint name="panda_joint5"/><joint name="panda_joint6"/><joint name="panda_joint7"/></group>
  <group name="hand">
    <link name="panda_hand"/><link name="panda_leftfinger"/><link name="panda_rightfinger"/>
    <passive_joint name="panda_finger_joint2"/>
  </group>
  <group name="all"><group name="arm"/><group name="hand"/></group>
  <group name="gap"><joint name="panda_joint1"/><joint name="panda_joint4"/></group>
  <group name="none"/>
  <group_state name="ready" group="arm">
    <joint name="panda_joint2" value="-0.785"/><joint name="panda_joint4" value="-2.356"/>
  </group_state>
  <group_state name="open" group="hand">
    <joint name="panda_finger_joint1" value="0.035"/><joint name="panda_finger_joint2" value="0.035"/>
  </group_state>
  <group_state name="home"><joint name="panda_joint1" value="0.5"/></group_state>
  <end_effector name="gripper" parent_link="panda_hand" group="hand" parent_group="wrist"/>
  <virtual_joint name="base" type="fixed" parent_frame="world" child_link="panda_link0"/>
  <passive_joint name="panda_finger_joint2"/>
  <disable_collisions link1="panda_link0" link2="panda_link5" reason="Never"/>
  <disable_collisions link1="panda_link5" link2="panda_link0" reason="Default"/>
  <disable_collisions link1="panda_link0" link2="panda_link6"/>
  <disable_default_collisions link="panda_leftfinger"/>
  <enable_collisions link1="panda_leftfinger" link2="panda_link4"/>
  <controller anything="goes"/>
</robot>
"""


@pytest.fixture(scope="module")
def panda():
    return models.load("panda")


@pytest.fixture
def srdf():
    return Srdf.parse(PANDA)


def test_what_stands_in_the_file(srdf):
    assert srdf.name == "panda"
    assert list(srdf.groups) == ["arm", "wrist", "hand", "all", "gap", "none"]
    assert srdf.groups["arm"].chains == (("panda_link0", "panda_hand"),)
    assert srdf.groups["all"].groups == ("arm", "hand")
    assert [(state.group, state.name) for state in srdf.states] == [("arm", "ready"), ("hand", "open"), ("", "home")]
    assert srdf.end_effectors[0].parent_link == "panda_hand"
    assert srdf.virtual_joints[0].kind == "fixed"
    assert srdf.passive_joints == ("panda_finger_joint2",)
    assert srdf.disabled_pairs[0] == ("panda_link0", "panda_link5", "Never")
    assert len(srdf.disabled_pairs) == 2
    assert srdf.quiet_links == ("panda_leftfinger",)
    assert repr(srdf) == "<Srdf 'panda': 6 groups, 2 disabled pairs>"


def test_a_chain_of_links(srdf, panda):
    arm = srdf.node_set(panda, "arm")
    assert type(arm) is Chain
    assert (arm.base.name, arm.tip.name) == ("panda_link0", "panda_hand")
    assert [dof.name for dof in arm.dofs] == [f"panda_joint{k}" for k in range(1, 8)]
    assert arm.reach < 2.0


def test_joints_in_a_line_end_where_their_end_effector_hangs(srdf, panda):
    wrist = srdf.node_set(panda, "wrist")
    assert type(wrist) is Chain
    assert (wrist.base.name, wrist.tip.name) == ("panda_link4", "panda_hand")
    without = Srdf.parse(PANDA.replace('parent_group="wrist"', ""))
    assert without.node_set(panda, "wrist").tip.name == "panda_link7"


def test_links_stand_for_their_joints_and_branches_make_a_node_set(srdf, panda):
    hand = srdf.node_set(panda, "hand")
    assert type(hand) is NodeSet
    fingers = {"panda_finger_joint1", "panda_finger_joint2"}
    assert fingers < {joint.name for joint in hand.joints}
    assert hand.base is panda.link("panda_hand").parent_link
    assert [dof.name for dof in hand.dofs] == ["panda_finger_joint1"]


def test_groups_of_groups(srdf, panda):
    whole = srdf.node_set(panda, "all")
    parts = {*srdf.node_set(panda, "arm").joints, *srdf.node_set(panda, "hand").joints}
    assert set(whole.joints) == parts
    assert whole.base.name == "panda_link0"


def test_joints_with_a_gap_are_no_chain(srdf, panda):
    gap = srdf.node_set(panda, "gap")
    assert type(gap) is NodeSet
    assert [joint.name for joint in gap.joints] == ["panda_joint1", "panda_joint4"]
    assert (gap.base.name, gap.tip.name) == ("panda_link0", "panda_link4")


def test_groups_that_are_not_there(srdf, panda):
    with pytest.raises(UnknownNameError, match="has no group 'arms'; did you mean 'arm'"):
        srdf.node_set(panda, "arms")
    with pytest.raises(StructureError, match="group 'none' of SRDF text has no joint that 'panda' has"):
        srdf.node_set(panda, "none")
    upside_down = PANDA.replace('"panda_link0" tip_link="panda_hand"', '"panda_hand" tip_link="panda_link0"')
    with pytest.raises(StructureError, match="no chain goes from link 'panda_hand' to link 'panda_link0'"):
        Srdf.parse(upside_down).node_set(panda, "arm")


def test_states_are_configurations_in_parts(srdf, panda):
    q = panda.as_configuration(srdf.state(panda, "arm", "ready"))
    assert q[[1, 3]].tolist() == [-0.785, -2.356]
    assert set(srdf.state(panda, "hand", "open")) == {"panda_finger_joint1"}  # the other one depends on it
    assert srdf.state(panda, None, "home")["panda_joint1"] == 0.5
    with pytest.raises(UnknownNameError, match="no state 'redy'; did you mean 'ready'"):
        srdf.state(panda, "arm", "redy")


def test_states_with_quaternions_and_cosines(srdf):
    robot = models.load("planar3", floating_base=True)
    root = next(joint for joint in robot.joints if isinstance(joint, FreeJoint)).name
    turn = next(dof.name for dof in robot.dofs if dof.joint.name != root)
    half = math.sqrt(0.5)
    text = f"""<robot name="x"><group name="g"><joint name="{turn}"/></group><group_state name="s" group="g">
      <joint name="{root}" value="1 2 3 0 0 {half} {half}"/><joint name="{turn}" value="0 1"/></group_state></robot>"""
    values = Srdf.parse(text).state(robot, "g", "s")
    np.testing.assert_allclose(values[root], [1, 2, 3, 0, 0, math.pi / 2], atol=1e-12)
    assert values[turn] == pytest.approx(math.pi / 2)
    with pytest.raises(SrdfError, match=r"has 3 values in state 's' of group 'g' .*; it has 1 coordinates"):
        Srdf.parse(text.replace('"0 1"', '"0 1 2"')).state(robot, "g", "s")
    with pytest.raises(SrdfError, match="is no rotation, its length is 0"):
        Srdf.parse(text.replace(f"0 0 {half} {half}", "0 0 0 0")).state(robot, "g", "s")


def test_disabled_pairs_with_their_reason(srdf, panda):
    found = {frozenset(each[:2]): each.reason for each in srdf.excluded_pairs(panda)}
    assert found[frozenset({"panda_link0", "panda_link5"})] == "disabled in the SRDF file: Never"
    assert found[frozenset({"panda_link0", "panda_link6"})] == "disabled in the SRDF file: no reason given"
    quiet = {pair for pair in found if "panda_leftfinger" in pair}
    assert frozenset({"panda_leftfinger", "panda_link0"}) in quiet
    assert frozenset({"panda_leftfinger", "panda_link4"}) not in quiet
    assert len(quiet) == len(panda.links) - 2


def test_a_detector_uses_pairs_and_groups(srdf, panda, tmp_path):
    (tmp_path / "panda.srdf").write_text(PANDA)
    plain, told = CollisionDetector(panda), CollisionDetector(panda, srdf=tmp_path / "panda.srdf")
    lost = set(plain.pairs) - set(told.pairs)
    assert {("panda_link0", "panda_link5"), ("panda_link0", "panda_link6")} <= lost
    assert ("panda_link4", "panda_leftfinger") in told.pairs
    hand = CollisionDetector(panda, srdf=srdf, groups=["wrist"])
    assert 0 < len(hand.pairs) < len(told.pairs)


def test_unknown_names_are_listed_and_told_once(panda, caplog):
    text = (
        PANDA.replace("panda_joint6", "elbow")
        .replace('name="panda_link7"', "")
        .replace(
            '<group name="none"/>',
            """
      <group name="none"><group name="nothing"/></group>
      <disable_collisions link1="panda_link0" link2="gone"/><disable_collisions link1="gone" link2="panda_link3"/>""",
        )
    )
    srdf = Srdf.parse(text, "cell.srdf")
    assert srdf.unknown_names(panda) == ("group 'nothing'", "joint 'elbow'", "link 'gone'")
    with caplog.at_level(logging.WARNING):
        srdf.excluded_pairs(panda)
        srdf.node_set(panda, "wrist")
        srdf.state(panda, "arm", "ready")
    assert [record.message for record in caplog.records] == [
        "cell.srdf: 'panda' has no group 'nothing'",
        "cell.srdf: 'panda' has no joint 'elbow'",
        "cell.srdf: 'panda' has no link 'gone'",
    ]
    assert Srdf.parse(PANDA).unknown_names(panda) == ()


def test_misspelled_elements_are_told(caplog):
    with caplog.at_level(logging.WARNING):
        Srdf.parse('<robot name="x">\n<disable_collision link1="a" link2="b"/>\n<rotor_params/></robot>')
    assert caplog.messages == ["SRDF text, line 2: <disable_collision> is unknown; did you mean <disable_collisions>?"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "SRDF text is empty"),
        ("<robot>\n<group name='a'>\n</robot>", "not well-formed XML: mismatched tag: line 3"),
        ("<robot>\n</robot>\n<robot/>", "line 3"),
        ("not xml", "not well-formed XML"),
        ("<sdf>\n</sdf>", "line 1: <sdf> is not the <robot> of an SRDF file"),
        ("<robot>\n<group/></robot>", "line 2: <group> needs the attribute 'name'"),
        ("<robot>\n<group name='a'/>\n<group name='a'/></robot>", "line 3: group 'a' is there twice"),
        ("<robot>\n<group name='a'>\n<chain base_link='b'/></group></robot>", "line 3: <chain> needs the .*'tip_link'"),
        ("<robot>\n<disable_collisions link1='b'/></robot>", "line 2: .* needs the attribute 'link2'"),
        (
            "<robot><group_state name='s' group='g'>\n<joint name='j' value='zero'/></group_state></robot>",
            "line 2: joint 'j' has value='zero', which is no number",
        ),
        ("<robot><group_state name='s' group='g'>\n<joint name='j' value='nan'/></group_state></robot>", "not finite"),
        ("<robot><group_state name='s'/>\n<group_state name='s'/></robot>", "line 2: group_state 's' .* twice"),
        (
            "<robot>\n<group name='a'><group name='b'/></group>\n<group name='b'><group name='a'/></group></robot>",
            "line 2: group 'a' contains itself: 'a' in 'b' in 'a'",
        ),
        ("<robot>\n<group name='a'><group name='a'/></group></robot>", "group 'a' contains itself: 'a' in 'a'"),
        (b"\xff\xfe\x00<robot/>", "SRDF text"),
        (b"<?xml version='1.0' encoding='klingon'?><robot/>", "not well-formed XML"),
    ],
)  # fmt: skip
def test_damaged_files_are_refused_with_the_line(text, message):
    with pytest.raises(SrdfError, match=message):
        Srdf.parse(text)


def test_groups_in_a_long_row_and_a_circle_at_its_end(panda):
    row = "".join(f'<group name="g{k}"><group name="g{k + 1}"/></group>' for k in range(300))
    text = f'<robot>{row}\n<group name="g300">%s<joint name="panda_joint1"/></group></robot>'
    assert len(Srdf.parse(text % "").node_set(panda, "g0")) == 1
    with pytest.raises(SrdfError, match=r"group 'g298' contains itself: 'g298' in 'g300' in 'g299' in 'g298'"):
        Srdf.parse(text % '<group name="g298"/>')


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(SrdfError, match=r"none\.srdf' cannot be read: No such file"):
        Srdf.read(tmp_path / "none.srdf")
    with pytest.raises(SrdfError, match="cannot be read"):
        Srdf.read(tmp_path)
    with pytest.raises(SrdfError, match="cannot be read: embedded null"):
        Srdf.read("a\0b")
    with pytest.raises(InvalidValueError, match="by its path, not by 3"):
        Srdf.read(3)


def test_entities_do_no_harm(tmp_path):
    (tmp_path / "secret").write_text("secret")
    laughs = "".join(f'<!ENTITY l{k} "{f"&l{k - 1};" * 10}">' for k in range(1, 12))
    for declared in (f'<!ENTITY l0 "ha">{laughs}', f'<!ENTITY l11 SYSTEM "file://{tmp_path}/secret">'):
        text = f'<!DOCTYPE robot [{declared}]>\n<robot name="&l11;"/>'
        with pytest.raises(SrdfError, match=r"entity 'l.*' is defined"):
            Srdf.parse(text)
    outside = f'<!DOCTYPE robot SYSTEM "file://{tmp_path}/secret"><robot name="x"/>'
    assert Srdf.parse(outside).name == "x"


def files():
    try:
        listed = importlib.metadata.files("example-robot-data") or []
    except importlib.metadata.PackageNotFoundError:
        return [pytest.param(None, marks=pytest.mark.skip(reason="example-robot-data is not installed"))]
    paths = sorted({Path(str(each.locate())).resolve() for each in listed if each.name.endswith(".srdf")})
    return [pytest.param(path, id=path.stem) for path in paths]


@pytest.mark.parametrize("file", files())
def test_real_files_agree_with_a_plain_reading(file):
    srdf, root = Srdf.read(file), ElementTree.parse(file).getroot()
    pairs = {frozenset((each.get("link1"), each.get("link2"))) for each in root.findall("disable_collisions")}
    assert {frozenset(each[:2]) for each in srdf.disabled_pairs} == pairs
    assert list(srdf.groups) == [each.get("name") for each in root.findall("group")]
    assert len(srdf.states) == len(root.findall("group_state"))


#: Robot and SRDF file below example-robot-data's robots, and the base of the robot.
REAL = (
    ("panda_description/urdf/panda.urdf", "panda_description/srdf/panda.srdf", False),
    ("talos_data/robots/talos_reduced.urdf", "talos_data/srdf/talos.srdf", True),
    ("pr2_description/urdf/pr2.urdf", "pr2_description/srdf/pr2.srdf", False),
    ("hyq_description/robots/hyq_no_sensors.urdf", "hyq_description/srdf/hyq.srdf", True),
)


@pytest.mark.parametrize(("urdf", "file", "floating"), REAL, ids=[each[0].split("/")[0] for each in REAL])
def test_states_of_real_files_are_where_pinocchio_has_them(urdf, file, floating):
    folder = next((each.values[0] for each in files() if each.values[0] is not None), Path()).parents[2]
    if not (folder / urdf).exists():
        pytest.skip("example-robot-data is not installed")
    robot, srdf = models.load(folder / urdf, floating_base=floating), Srdf.read(folder / file)
    theirs = pin.buildModelFromUrdf(str(folder / urdf), *([pin.JointModelFreeFlyer()] if floating else []))
    pin.loadReferenceConfigurations(theirs, str(folder / file), False)
    data = theirs.createData()
    for state in srdf.states:
        values = srdf.state(robot, state.group, state.name)
        if len(values) < len(robot.dofs) - 6 * floating:
            continue  # ours leaves what is not given at the rest position
        ours = robot.state(robot.as_configuration(values))
        pin.framesForwardKinematics(theirs, data, theirs.referenceConfigurations[state.name])
        for link in robot.links:
            if any(joint.is_dependent for joint in link.chain(robot.root).joints):
                continue  # Pinocchio takes no notice of mimics here
            frame = theirs.getFrameId(link.name, pin.FrameType.BODY)
            at = data.oMf[frame].homogeneous
            np.testing.assert_allclose(ours.transform(link).homogeneous, at, rtol=0, atol=1e-9)
    for name in srdf.groups:
        try:
            chosen = srdf.node_set(robot, name)
        except StructureError:
            continue
        assert all(joint.child_link in (chosen.base.link or robot.root).subtree() for joint in chosen.joints)
        assert chosen.joints


@pytest.mark.parametrize("wrong", [None, 3, ["<robot/>"]])
def test_a_text_must_be_text(wrong):
    with pytest.raises(InvalidValueError, match="SRDF text must be given as str or bytes, not as"):
        Srdf.parse(wrong)
    with pytest.raises(InvalidValueError, match="file must be"):
        Srdf.parse("<robot/>", wrong if wrong else 4)


def test_what_is_asked_of_a_file_must_be_about_a_skeleton():
    srdf = Srdf.parse(PANDA)
    for ask in (
        lambda: srdf.node_set(None, "arm"),
        lambda: srdf.state(3, "arm", "ready"),
        lambda: srdf.excluded_pairs("panda"),
        lambda: srdf.unknown_names(None),
    ):
        with pytest.raises(InvalidValueError, match="needs a Skeleton, not"):
            ask()
    with pytest.raises(UnknownNameError, match="has no state"):
        srdf.state(models.load("panda"), "arm", ["ready"])
