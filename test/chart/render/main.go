// Renders the Helm chart as `helm template` does, with the parts that Helm is made of and Debian has: Go's text/template, the
// functions of sprig, and sigs.k8s.io/yaml. It knows what our templates use: .Values, .Chart, .Release, .Files (Get, Glob with
// AsConfig), include, required, toYaml. Arguments: the folder of the chart, the name of the release, a file of values.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type values = map[string]interface{}

// files is .Files: what stands below the folder of the chart.
type files struct {
	root  string
	names []string
}

func (f files) Get(name string) string {
	text, err := os.ReadFile(filepath.Join(f.root, name))
	if err != nil {
		return ""
	}
	return string(text)
}

func (f files) Glob(pattern string) files {
	names, _ := filepath.Glob(filepath.Join(f.root, pattern))
	return files{f.root, names}
}

func (f files) AsConfig() string {
	data := map[string]string{}
	for _, name := range f.names {
		text, _ := os.ReadFile(name)
		data[filepath.Base(name)] = string(text)
	}
	return toYaml(data)
}

func toYaml(value interface{}) string {
	text, err := yaml.Marshal(value)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(text), "\n")
}

func read(path string) values {
	text, err := os.ReadFile(path)
	fail(err)
	found := values{}
	fail(yaml.Unmarshal(text, &found))
	return found
}

// merge puts what is given over the defaults, map by map.
func merge(defaults, given values) values {
	for name, value := range given {
		inner, isMap := value.(values)
		outer, wasMap := defaults[name].(values)
		if isMap && wasMap {
			defaults[name] = merge(outer, inner)
		} else {
			defaults[name] = value
		}
	}
	return defaults
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	root, release, given := os.Args[1], os.Args[2], os.Args[3]
	written := read(filepath.Join(root, "Chart.yaml"))
	context := values{
		"Values": merge(read(filepath.Join(root, "values.yaml")), read(given)),
		// Helm writes the names of these with capitals.
		"Chart":   values{"Name": written["name"], "Version": written["version"], "AppVersion": written["appVersion"]},
		"Release": values{"Name": release, "Namespace": "default", "Service": "Helm"},
		"Files":   files{root: root},
	}
	all := template.New("chart")
	functions := sprig.TxtFuncMap()
	functions["toYaml"] = toYaml
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text bytes.Buffer
		err := all.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	all.Funcs(functions)
	paths, err := filepath.Glob(filepath.Join(root, "templates", "*"))
	fail(err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		fail(err)
		_, err = all.New(filepath.Base(path)).Parse(string(text))
		fail(err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var text bytes.Buffer
		fail(all.ExecuteTemplate(&text, name, context))
		// As Helm does with values that are not there.
		shown := strings.ReplaceAll(text.String(), "<no value>", "")
		if name == "NOTES.txt" {
			fmt.Printf("---\nkind: Notes\ntext: %s\n", toYaml(shown))
		} else {
			fmt.Printf("---\n# Source: %s\n%s\n", name, shown)
		}
	}
}
