print("causeway-conformance")
