// Stands in for a file that IKFast generated, where tests need nothing but a compiler: a lift (free), then a planar
// arm with two links of 0.5 m and a wrist with a tool of 0.1 m. Written for these tests.
#define IKFAST_HAS_LIBRARY
#include "ikfast.h"
#include <cmath>
#include <stdexcept>
using namespace ikfast;

#define IKFAST_COMPILE_ASSERT(x) extern int __dummy[(int)x]
IKFAST_COMPILE_ASSERT(IKFAST_VERSION==61);

#ifdef IKFAST_NAMESPACE
namespace IKFAST_NAMESPACE {
#endif

static const IkReal LINK = IkReal(0.5), TOOL = IkReal(0.1);

IKFAST_API void ComputeFk(const IkReal* j, IkReal* eetrans, IkReal* eerot) {
    const IkReal a = j[1], b = a + j[2], c = b + j[3];
    eetrans[0] = LINK * std::cos(a) + LINK * std::cos(b) + TOOL * std::cos(c);
    eetrans[1] = LINK * std::sin(a) + LINK * std::sin(b) + TOOL * std::sin(c);
    eetrans[2] = j[0];
    const IkReal rotation[9] = {std::cos(c), -std::sin(c), 0, std::sin(c), std::cos(c), 0, 0, 0, 1};
    for (int i = 0; i < 9; ++i) {
        eerot[i] = rotation[i];
    }
}

IKFAST_API int GetNumFreeParameters() { return 1; }
IKFAST_API int* GetFreeParameters() { static int free_parameters[] = {0}; return free_parameters; }
IKFAST_API int GetNumJoints() { return 4; }
IKFAST_API int GetIkRealSize() { return sizeof(IkReal); }
IKFAST_API int GetIkType() { return 0x67000001; }
IKFAST_API const char* GetKinematicsHash() { return "lifted-arm"; }
IKFAST_API const char* GetIkFastVersion() { return "61"; }

static void add(IkSolutionListBase<IkReal>& solutions, IkReal lift, IkReal a, IkReal b, IkReal c, bool family) {
    std::vector<IkSingleDOFSolutionBase<IkReal> > joints(4);
    const IkReal values[4] = {lift, a, b, c};
    for (int i = 0; i < 4; ++i) {
        joints[i].foffset = values[i];
        joints[i].jointtype = i == 0 ? 0x11 : 0x01;
    }
    std::vector<int> free_joints(0);
    if (family) {
        joints[1].fmul = 1;
        joints[1].freeind = 0;
        joints[3].fmul = -1;
        joints[3].freeind = 0;
        free_joints.push_back(1);
    }
    solutions.AddSolution(joints, free_joints);
}

IKFAST_API bool ComputeIk(const IkReal* eetrans, const IkReal* eerot, const IkReal* pfree,
                          IkSolutionListBase<IkReal>& solutions) {
    solutions.Clear();
    const IkReal pi = IkReal(3.14159265358979323846), angle = std::atan2(eerot[3], eerot[0]);
    const IkReal x = eetrans[0] - TOOL * std::cos(angle), y = eetrans[1] - TOOL * std::sin(angle);
    const IkReal cosine = (x * x + y * y) / (2 * LINK * LINK) - 1;
    if (!(std::abs(cosine) <= 1 + IkReal(1e-6))) {
        return false;
    }
    const IkReal elbow = std::acos(cosine > 1 ? IkReal(1) : (cosine < -1 ? IkReal(-1) : cosine));
    if (pi - elbow < IkReal(1e-3)) {
        // Folded: the shoulder may turn, and the wrist back.
        add(solutions, pfree[0], 0, pi, angle - pi, true);
        return solutions.GetNumSolutions() == 1;
    }
    for (int k = 0; k < 2; ++k) {
        const IkReal b = k == 0 ? elbow : -elbow;
        const IkReal a = std::atan2(y, x) - b / 2;
        add(solutions, pfree[0], a, b, angle - a - b, false);
        if (eetrans[2] > 100) {
            throw std::runtime_error("so high up the air is thin");
        }
    }
    return solutions.GetNumSolutions() > 0;
}

IKFAST_API bool ComputeIk2(const IkReal* eetrans, const IkReal* eerot, const IkReal* pfree,
                           IkSolutionListBase<IkReal>& solutions, void*) {
    return ComputeIk(eetrans, eerot, pfree, solutions);
}

#ifdef IKFAST_NAMESPACE
}
#endif

#ifndef IKFAST_NO_MAIN
int main() { return 0; }
#endif
