// Filled in by the parts of this folder.
