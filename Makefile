# The commands of this project. Each one sets up what it needs (see scripts/deps.sh) and can be
# repeated at any time; the build itself is CMake's, with the presets of CMakePresets.json.

JOBS ?= $(shell nproc)
# One test more than there are processors: many wait for a timer or a child.
CTEST = ctest --output-on-failure --no-tests=error -j $(shell expr $(JOBS) + 1)
SPECPI = build/bin/specpi

.PHONY: help deps runtimes tuner configured build demo picture test bench corpus asan tsan strict llvm fuzz lint format install wheel wheel-test
.PHONY: wheels wheel-of-any-time wheel-test-dpnp wheel-test-trixie ur-conformance level-zero-tests charts clean

help:
	@echo 'make demo     set up, build a part in about three minutes, and show what it does (PICTURE=/path/to.png)'
	@echo 'make test     set up, build, and run all tests'
	@echo 'make runtimes the runtimes of SYCL 2025 and 2026 that tests run (RUNTIMES=ci: three of seven)'
	@echo 'make tuner    Kernel Tuner, with which tests tune'
	@echo 'make bench    set up, build, and measure'
	@echo 'make charts   the charts of docs/results once more, of the tables there'
	@echo 'make corpus   every device image of dpctl and dpnp through the code generator (hours; CORPUS_SECONDS=600)'
	@echo 'make build    set up and build: build/lib, build/bin, and what only tests run in build/test/bin'
	@echo 'make asan     the tests with AddressSanitizer and UndefinedBehaviorSanitizer'
	@echo 'make tsan     the tests with ThreadSanitizer'
	@echo 'make strict   what is installed, with warnings as errors: by GCC as CMAKE_BUILD_TYPE=Release makes it, and by clang'
	@echo 'make llvm     compiler/ and its tests with another version of LLVM'
	@echo 'make fuzz     a minute of fuzzing a target (FUZZ_SECONDS=60)'
	@echo 'make ur-conformance  UR'\''s own tests on the adapter for CUDA and its fake driver (UR_SOURCE=checkout)'
	@echo 'make level-zero-tests  Level Zero'\''s own tests on ze/ and the fake driver (LZT_SOURCE=checkout)'
	@echo 'make lint     clang-format (check only), repeats in the plugins, text of all files, clang-tidy'
	@echo 'make format   clang-format, and pages at their width'
	@echo 'make wheel    a wheel for Python and its sources, into dist/'
	@echo 'make wheel-test  the wheel in fresh environments, and made once more of its sources'
	@echo 'make wheel-test-dpnp  dpctl and dpnp from PyPI beside the wheel, as README says'
	@echo 'make wheels   programs from PyPI, each with a job on the GPU or the fake driver (WHEEL="dpnp onednn")'
	@echo 'make wheel-test-trixie  the wheel in Debian 13 with its Python, in a chroot (as root)'
	@echo 'make install  into DESTDIR and PREFIX (/usr/local)'

deps:
	@scripts/deps.sh

# All, or RUNTIMES="2025.3 2026.2", or those that CI runs, RUNTIMES=ci.
runtimes: deps
	@scripts/runtimes.sh $(RUNTIMES)

tuner: deps
	@scripts/venv.sh tuner

# Half an hour, most of it compilation, and UR's sources, which are cloned unless UR_SOURCE names them.
ur-conformance: build
	@scripts/runtimes.sh 2026.2
	FAKE_CUDA_DEVICES=2 python3 -B test/ur/conformance/run.py "$(UR_SOURCE)" .deps/ur-conformance build \
	  .deps/runtimes --driver build/fakes/cuda

# Level Zero's sources of tests are cloned unless LZT_SOURCE names them.
level-zero-tests: build
	python3 -B test/ur/level_zero_tests/run.py "$(LZT_SOURCE)" .deps/level-zero-tests build \
	  --driver build/fakes/cuda

configured: deps
	cmake --preset release

# Outputs of an older tree that this one does not build are removed.
build: configured
	@ninja -C build -t cleandead
	cmake --build build -j $(JOBS)

# make hands PICTURE to the scripts in the environment. It is looked at before the minutes of a build.
demo: picture configured
	@scripts/demo.sh -j $(JOBS)

picture:
	@test -z "$${PICTURE:-}" || test -r "$$PICTURE" || { echo "PICTURE=$$PICTURE cannot be read" >&2; exit 1; }

test: build
	cd build && $(CTEST)

bench: build
	cmake --build build --target bench

charts: build
	scripts/charts.py build/test/bin/bench-chart docs/results

CORPUS_SECONDS ?= 0
corpus: build
	cmake -D SPECPI_CORPUS_SECONDS=$(CORPUS_SECONDS) build
	cmake --build build --target corpus

# They take the SYCL tests' device code of the release build.
asan tsan: build
	cmake --preset $@
	cmake --build build-$@ -j $(JOBS)
	cd build-$@ && $(CTEST)

# The optimiser sees more there, and warnings are errors.
strict: deps
	for compiler in gcc clang; do \
	  cmake --preset $@-$$compiler && cmake --build build-$@-$$compiler -j $(JOBS) || exit 1; \
	done

llvm: deps
	cmake --preset $@
	cmake --build build-$@ -j $(JOBS) --target compiler-tests
	cd build-$@ && $(CTEST) -R '^compiler[.]' -E '^compiler[.]host'

FUZZ_SECONDS ?= 60
fuzz: build
	cmake --preset fuzz
	cmake --build build-fuzz -j $(JOBS) --target fuzzers
	@for target in build-fuzz/test/bin/fuzz-*; do \
	  echo "== $$target"; \
	  corpus=build-fuzz/corpus/$$(basename $$target); mkdir -p $$corpus; \
	  $$target -max_total_time=$(FUZZ_SECONDS) -print_final_stats=1 $$corpus \
	    test/fuzz/corpus/$$(basename $$target) || exit 1; \
	done
	@echo '== specpi-codegen'
	@for module in build/test/codegen/*.spv; do \
	  build/test/bin/codegen-damage --seed $$(date +%s) --seconds $(FUZZ_SECONDS) \
	    $(CURDIR)/build/libexec/specpi/specpi-codegen $$module || exit 1; \
	done

lint: deps
	@scripts/lint.sh

format: deps
	clang-format-15 -i $$(git ls-files '*.c' '*.h' '*.cpp' '*.hpp')
	scripts/prose.py --fix

PREFIX ?= /usr/local
install: deps
	cmake --preset release
	cmake --build build -j $(JOBS) --target installed
	cmake --install build --prefix "$(PREFIX)"

wheel: deps
	@rm -rf dist
	@scripts/wheel.sh

# With the drivers of the tests, and those of RUNTIMES that are there.
wheel-test: build wheel
	@test/wheel/run.sh "$(CURDIR)" "$(CURDIR)"/dist/specpi-*.whl "$(CURDIR)"/dist/specpi-*.tar.gz \
	  "$(CURDIR)/build-wheel/test"

# Programs that others have built, of the pins in scripts/wheels, in environments of their own, .deps/wheels.
WHEEL ?= $(patsubst scripts/wheels/%-requirements.txt,%,$(wildcard scripts/wheels/*-requirements.txt))
wheels: build
	@for name in $(WHEEL); do \
	  scripts/venv.sh "wheels/$$name" && test/wheels/run.sh "$(CURDIR)" "$(CURDIR)/build" "$$name" || exit 1; \
	done

# The wheel of make wheel, or of before.
wheel-of-any-time: build
	@ls dist/specpi-*.whl >/dev/null 2>&1 || scripts/wheel.sh

wheel-test-dpnp: wheel-of-any-time
	@test/wheel/dpnp.sh "$(CURDIR)" "$(CURDIR)"/dist/specpi-*.whl "$(CURDIR)/build-wheel/dpnp"

wheel-test-trixie: wheel-of-any-time
	@test/wheel/chroot.sh "$(CURDIR)" "$(CURDIR)"/dist/specpi-*.whl trixie

clean:
	rm -rf dist build-wheel build build-asan build-tsan build-strict-gcc build-strict-clang build-llvm build-fuzz build-dev build-user build-gpu
