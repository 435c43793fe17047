// Package e2e drives a real Claude Code client in print mode against a scripted model server on loopback, so that tests can
// assert on what the client did with a hook's answer: its transcript, the context the model received, the state files.
//
// Nothing of the product imports this package. The tests are skipped unless BRIDGE_E2E_CLIENT names a client binary;
// install-client.sh installs the pinned one and prints its path.
package e2e
