// Prints the exported methods in the Go files of a folder as JSON: for each the name of its type, and its own. Reflection
// would have those of embedded types too.
package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	files, err := filepath.Glob(filepath.Join(os.Args[1], "*.go"))
	check(err)
	methods := [][]string{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		check(err)
		for _, declaration := range parsed.Decls {
			method, isFunction := declaration.(*ast.FuncDecl)
			if isFunction && method.Recv != nil && method.Name.IsExported() {
				receiver := types.ExprString(method.Recv.List[0].Type)
				methods = append(methods, []string{strings.TrimPrefix(receiver, "*"), method.Name.Name})
			}
		}
	}
	check(json.NewEncoder(os.Stdout).Encode(methods))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
