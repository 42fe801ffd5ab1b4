package e2e

func runFault(string) int { return 1 }

const faultVariable = "FLASHLAB_FAULT"
