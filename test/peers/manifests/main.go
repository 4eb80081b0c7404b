// Reads manifests from stdin and writes `kind name` of each. Fails for what the types of Kubernetes don't have, and for
// pods that its security standard `restricted` refuses.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/yaml"
	security "k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
)

func main() {
	count, err := check(os.Stdin)
	if err == nil && count == 0 {
		err = errors.New("no manifest")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func check(input io.Reader) (int, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		appsv1.AddToScheme, autoscalingv2.AddToScheme, batchv1.AddToScheme,
		corev1.AddToScheme, networkingv1.AddToScheme, policyv1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return 0, err
		}
	}
	options := json.SerializerOptions{Yaml: true, Strict: true}
	serializer := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, options)
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks())
	if err != nil {
		return 0, err
	}
	reader := yaml.NewYAMLReader(bufio.NewReader(input))
	for count := 0; ; count++ {
		document, err := reader.Read()
		if err == io.EOF {
			return count, nil
		}
		if err != nil {
			return count, err
		}
		object, kind, err := serializer.Decode(document, nil, nil)
		if err != nil {
			return count, fmt.Errorf("%w in\n%s", err, document)
		}
		name, template := describe(object)
		fmt.Println(kind.Kind, name)
		if template == nil {
			continue
		}
		restricted := security.LevelVersion{Level: security.LevelRestricted, Version: security.LatestVersion()}
		for _, result := range evaluator.EvaluatePod(restricted, &template.ObjectMeta, &template.Spec) {
			if !result.Allowed {
				return count, fmt.Errorf("%s %s: %s: %s", kind.Kind, name, result.ForbiddenReason, result.ForbiddenDetail)
			}
		}
	}
}

// Returns the name, and the pods that the object starts.
func describe(object runtime.Object) (string, *corev1.PodTemplateSpec) {
	switch value := object.(type) {
	case *appsv1.Deployment:
		return value.Name, &value.Spec.Template
	case *batchv1.Job:
		return value.Name, &value.Spec.Template
	case interface{ GetName() string }:
		return value.GetName(), nil
	}
	return "", nil
}
