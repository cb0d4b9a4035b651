print("protoc-gen-causeway")
