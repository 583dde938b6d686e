// Command pack makes an archive of this module: a folder that can be a GOPROXY.
//
//	Sources/go/pack.sh FOLDER
package main

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

const (
	folderMode = 0o755
	fileMode   = 0o644
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "wrong arguments: expected one, the folder for the archive")
		os.Exit(2)
	}
	if err := pack(".", os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

var (
	// written is how the package has its version; reading it is faster than compiling the package.
	written = regexp.MustCompile(`const Version = "(.+)"`)
	// named is how go.mod has the module's path.
	named = regexp.MustCompile(`(?m)^module (\S+)$`)
	// capital is what a proxy's paths write as an exclamation mark and a small letter.
	capital = regexp.MustCompile(`[A-Z]`)
)

// pack writes what a proxy has of one version of the module.
func pack(source, proxy string) error {
	words, err := os.ReadFile(filepath.Join(source, "words.go"))
	if err != nil {
		return err
	}
	found := written.FindSubmatch(words)
	if found == nil {
		return fmt.Errorf("words.go has no version: expected %v", written)
	}
	version := "v" + string(found[1])
	description, err := os.ReadFile(filepath.Join(source, "go.mod"))
	if err != nil {
		return err
	}
	path := named.FindSubmatch(description)
	if path == nil {
		return fmt.Errorf("go.mod has no module: expected %v", named)
	}
	module := string(path[1])
	escaped := capital.ReplaceAllStringFunc(module, func(letter string) string { return "!" + strings.ToLower(letter) })
	versions := filepath.Join(proxy, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(versions, folderMode); err != nil {
		return err
	}
	info, err := json.Marshal(map[string]string{"Version": version})
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{
		"list":            []byte(version + "\n"),
		version + ".info": info,
		version + ".mod":  description,
	} {
		if err := os.WriteFile(filepath.Join(versions, name), content, fileMode); err != nil {
			return err
		}
	}
	return writeZip(source, filepath.Join(versions, version+".zip"), module+"@"+version+"/")
}

func writeZip(source, path, prefix string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	archive := zip.NewWriter(file)
	err = filepath.WalkDir(source, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(source, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if entry.IsDir() {
			if name == "internal" {
				return fs.SkipDir
			}
			return nil
		}
		if strings.HasPrefix(name, ".") {
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		writer, err := archive.Create(prefix + name)
		if err != nil {
			return err
		}
		_, err = writer.Write(content)
		return err
	})
	if err != nil {
		return err
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return file.Close()
}
