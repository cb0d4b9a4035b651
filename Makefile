# Two commands are all a newcomer needs: `make run` and `make test`.
SWIFT_BUILD = swift build

.PHONY: run test test-long build release proto texts format lint clean

run:
	@scripts/setup core
	@echo "building the release program (the first time takes some minutes)"
	@$(SWIFT_BUILD) -c release --product causeway
	@.build/release/causeway run

test:
	@scripts/setup core
	@scripts/setup test
	@scripts/test

test-long:
	@scripts/setup core
	@scripts/setup test
	@scripts/test-long

build:
	@scripts/setup core
	@$(SWIFT_BUILD)

release:
	@scripts/setup core
	@$(SWIFT_BUILD) -c release

proto:
	@scripts/setup test
	@scripts/proto

texts:
	@scripts/texts

format:
	@swift format -i -r --configuration .swift-format Package.swift Sources Tests

lint:
	@swift format lint --strict -r --configuration .swift-format Package.swift Sources Tests

clean:
	@rm -rf .build
