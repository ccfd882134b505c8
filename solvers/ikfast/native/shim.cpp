// What `kinetree ikfast build` adds to generated code: a function with C types only, which catches what is thrown.
//
// KINETREE_IKFAST_SOURCE is the generated file's name in quotes.
#include KINETREE_IKFAST_SOURCE

#include <cstddef>
#include <cstring>
#include <exception>
#include <vector>

#define KINETREE_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

#ifdef IKFAST_NAMESPACE
using namespace IKFAST_NAMESPACE;
#endif

typedef ::ikfast::IkSingleDOFSolutionBase<IkReal> KinetreeJointSolution;

// Writes solutions into rows of flat arrays as they come; counts on when the arrays are full.
class KinetreeSolutions : public ::ikfast::IkSolutionListBase<IkReal> {
public:
    KinetreeSolutions(int joints, int capacity, double* offsets, double* factors, signed char* sources)
        : count_(0), joints_(joints), capacity_(capacity), offsets_(offsets), factors_(factors), sources_(sources) {}

    virtual ::size_t AddSolution(const std::vector<KinetreeJointSolution>& solution, const std::vector<int>&) {
        if (count_ < (::size_t)capacity_ && solution.size() == (::size_t)joints_) {
            for (int j = 0; j < joints_; ++j) {
                const ::size_t place = count_ * joints_ + j;
                offsets_[place] = solution[j].foffset;
                factors_[place] = solution[j].fmul;
                sources_[place] = solution[j].freeind;
            }
        }
        return count_++;
    }
    virtual const ::ikfast::IkSolutionBase<IkReal>& GetSolution(::size_t) const {
        throw std::runtime_error("solutions are written, not read");
    }
    virtual ::size_t GetNumSolutions() const { return count_; }
    virtual void Clear() { count_ = 0; }

private:
    ::size_t count_;
    int joints_, capacity_;
    double *offsets_, *factors_;
    signed char* sources_;
};

void kinetree_copy(const char* text, char* message, int size) {
    std::strncpy(message, text, size - 1);
    message[size - 1] = '\0';
}

}  // namespace

// Changes whenever the arguments below do.
KINETREE_EXPORT int kinetree_ikfast_shim() { return 1; }

// Solutions of a target as (count, joints) rows: value = offset + factor * free value number source, source < 0 for
// none. Gives how many there are, which may be more than the capacity. The message is left empty unless the
// generated code gave up half-way; what it had found until then is there all the same.
KINETREE_EXPORT int kinetree_ikfast_solve(const double* translation, const double* rotation, const double* free_values,
                                          int capacity, double* offsets, double* factors, signed char* sources,
                                          char* message, int message_size) {
    IkReal eetrans[3], eerot[9];
    for (int i = 0; i < 3; ++i) {
        eetrans[i] = (IkReal)translation[i];
    }
    for (int i = 0; i < 9; ++i) {
        eerot[i] = (IkReal)rotation[i];
    }
    message[0] = '\0';
    KinetreeSolutions solutions(GetNumJoints(), capacity, offsets, factors, sources);
    try {
        // One more than there are, so that there is something to point at when there are none.
        std::vector<IkReal> pfree(GetNumFreeParameters() + 1);
        for (int i = 0; i < GetNumFreeParameters(); ++i) {
            pfree[i] = (IkReal)free_values[i];
        }
        ComputeIk(eetrans, eerot, &pfree[0], solutions);
    } catch (const std::exception& error) {
        kinetree_copy(error.what(), message, message_size);
    } catch (...) {
        kinetree_copy("an unknown exception", message, message_size);
    }
    return (int)solutions.GetNumSolutions();
}
