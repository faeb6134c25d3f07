// Command sdks writes the SDKs of a package for Python and Go from its schema: `sdks SCHEMA FOLDER` fills FOLDER/python and
// FOLDER/go. It fails on everything that the engine's binder says about the schema, warnings too.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// Named in the first line of each generated file.
const generator = "npm run generate:sdks"

// The files of an SDK by their paths.
type files = map[string][]byte

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: sdks SCHEMA FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(schemaFile, folder string) error {
	sdks := map[string]func(*schema.Package) (files, error){
		"python": pythonSDK,
		"go":     func(pkg *schema.Package) (files, error) { return golang.GeneratePackage(generator, pkg, nil) },
		// The package has its own Node.js SDK. This one shows only that the generator takes the schema.
		"": func(pkg *schema.Package) (files, error) {
			_, err := nodejs.GeneratePackage(generator, pkg, nil, nil, false, nil)
			return nil, err
		},
	}
	for name, generate := range sdks {
		// Generators change the package that they get.
		pkg, err := bind(schemaFile)
		if err != nil {
			return err
		}
		written, err := generate(pkg)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(folder, name), written); err != nil {
			return err
		}
	}
	return nil
}

func bind(schemaFile string) (*schema.Package, error) {
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	pkg, diagnostics, err := schema.BindSpec(spec, nil, schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	var complaints []error
	for _, diagnostic := range diagnostics {
		complaints = append(complaints, diagnostic)
	}
	return pkg, errors.Join(complaints...)
}

func pythonSDK(pkg *schema.Package) (files, error) {
	written, err := python.GeneratePackage(generator, pkg, nil, nil)
	if err != nil {
		return nil, err
	}
	// pyproject.toml names a README.md beside it, and the generator writes only one inside the package.
	info, ok := pkg.Language["python"].(python.PackageInfo)
	if !ok {
		return nil, errors.New("the schema has no settings for Python")
	}
	written["README.md"] = []byte(info.Readme)
	return written, nil
}

func write(folder string, written files) error {
	for name, content := range written {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
