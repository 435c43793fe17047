package shell

import "strings"

// containerRows are the reading sub-commands of docker, kubectl and helm. Their global options (docker -H, --config,
// kubectl --kubeconfig, --server) are left out: they choose another server, or a file that may name a program to run.
//
// docker compose is left out: a compose file can include others from a
// repository, which compose fetches.
var containerRows = []row{
	{name: "docker ps", equals: true, short: "aqlsn:f:", long: "all quiet latest size last= no-trunc filter= format="},
	{name: "docker container ls", equals: true, short: "aqlsn:f:", long: "all quiet latest size last= no-trunc filter= format="},
	{name: "docker images", equals: true, short: "aqf:", long: "all quiet digests no-trunc filter= format= tree", operands: data, max: 1},
	{name: "docker image ls", equals: true, short: "aqf:", long: "all quiet digests no-trunc filter= format= tree", operands: data, max: 1},
	{name: "docker logs", equals: true, short: "tn:", long: "details since= until= tail= timestamps", operands: data, max: 1,
		danger: []danger{{"-f --follow", "waits forever"}}},
	{name: "docker inspect", equals: true, short: "sf:", long: "size format= type=", operands: data},
	{name: "docker version", equals: true, short: "f:", long: "format="},
	{name: "docker info", equals: true, short: "f:", long: "format="},
	{name: "docker network ls", equals: true, short: "qf:", long: "quiet no-trunc filter= format="},
	{name: "docker network inspect", equals: true, short: "vf:", long: "verbose format=", operands: data},
	{name: "docker volume ls", equals: true, short: "qf:", long: "quiet filter= format="},
	{name: "docker volume inspect", equals: true, short: "f:", long: "format=", operands: data},
	{name: "docker context ls", equals: true, short: "q", long: "quiet format="},
	{name: "docker compose ls", equals: true, short: "aq", long: "all quiet filter= format="},
	{name: "docker system df", equals: true, short: "v", long: "verbose format="},
	{name: "docker top", equals: true, operands: data, max: 1},
	{name: "docker port", equals: true, operands: data, max: 2},
	{name: "docker diff", equals: true, operands: data, max: 1},
	{name: "docker history", equals: true, short: "qH", long: "quiet human no-trunc format=", operands: data, max: 1},
	{name: "docker stats", equals: true, short: "a", long: "all no-stream no-trunc format=", operands: data, check: onlyOnce},
	{name: "docker search", equals: true, short: "f:", long: "filter= format= limit= no-trunc", operands: data, max: 1, network: true},
	{name: "docker manifest inspect", equals: true, short: "v", long: "verbose", operands: data, max: 2, network: true},

	{name: "kubectl get", equals: true, short: "An:l:o:w", long: "all-namespaces namespace= selector= output= show-labels show-kind no-headers sort-by= field-selector= label-columns= ignore-not-found watch chunk-size=", operands: data, network: true, check: checkKubectl, danger: kubectlDanger},
	{name: "kubectl describe", equals: true, short: "An:l:", long: "all-namespaces namespace= selector= show-events?", operands: data, network: true, check: checkKubectl, danger: kubectlDanger},
	{name: "kubectl logs", equals: true, short: "n:c:l:p", long: "namespace= container= selector= previous tail= since= since-time= timestamps all-containers? prefix limit-bytes=", operands: data, network: true, check: checkKubectl, danger: kubectlDanger},
	{name: "kubectl top pods|pod", equals: true, short: "An:l:", long: "all-namespaces namespace= selector= containers sort-by= no-headers", operands: data, network: true},
	{name: "kubectl top nodes|node", equals: true, short: "l:", long: "selector= sort-by= no-headers", operands: data, network: true},
	{name: "kubectl api-resources", equals: true, short: "o:", long: "namespaced? verbs= api-group= no-headers output=", network: true, check: checkKubectl},
	{name: "kubectl api-versions|cluster-info", network: true},
	{name: "kubectl explain", equals: true, long: "recursive api-version=", operands: data, max: 1, network: true},
	{name: "kubectl version", equals: true, long: "client? output=", short: "o:", check: checkKubectl, network: true},
	{name: "kubectl version --client", equals: true, long: "output=", short: "o:", check: checkKubectl},
	{name: "kubectl rollout status", equals: true, short: "n:", long: "namespace= timeout= watch?", operands: data, network: true},
	{name: "kubectl rollout history", equals: true, short: "n:", long: "namespace= revision=", operands: data, network: true},
	{name: "kubectl auth can-i", equals: true, short: "n:A", long: "namespace= all-namespaces list quiet", operands: data, network: true},
	{name: "kubectl config get-contexts", equals: true, long: "no-headers", short: "o:", operands: data, check: checkKubectl},
	{name: "kubectl config current-context|get-clusters"},
	{name: "helm list", equals: true, short: "aAqn:", long: "all all-namespaces namespace= short filter= max=", network: true},
	{name: "helm status", equals: true, short: "n:", long: "namespace=", operands: data, max: 1, network: true},
	{name: "helm history", equals: true, short: "n:", long: "namespace= max=", operands: data, max: 1, network: true},
}

var kubectlDanger = []danger{
	{"--kubeconfig", "names a file that may name a program to run"},
	{"-s --server --token --as --context --cluster --user", "chooses another server or identity"},
	{"--raw", "sends any request"},
	{"-f --filename -k --kustomize", "reads a file or an address"},
	{"--profile --profile-output --log-file --cache-dir", "writes files"},
}

// checkKubectl rejects secrets, and output forms that read a template file.
func checkKubectl(c *call) *refusal {
	for _, w := range c.operands {
		if strings.Contains(strings.ToLower(w.text), "secret") || strings.EqualFold(w.text, "all") {
			return &refusal{"operand", w.src, "The resource may be a secret."}
		}
	}
	for _, o := range c.options {
		if o.name != "-o" && o.name != "--output" {
			continue
		}
		form, _, _ := strings.Cut(o.value, "=")
		switch form {
		case "json", "yaml", "wide", "name", "jsonpath", "custom-columns", "go-template":
		default:
			return &refusal{"option-value", o.src, "The output form may read a file."}
		}
	}
	return nil
}

// onlyOnce requires the option that makes docker stats end.
func onlyOnce(c *call) *refusal {
	if c.has("--no-stream") {
		return nil
	}
	return &refusal{"option-missing", c.name, "Without --no-stream the command waits forever."}
}
