// Plays vectors with the Go package: reads a command a line, and answers with a line. README.md has the commands.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"

	mynah "github.com/OWNER/mynah/Sources/go"
)

const timeForm = "2006-01-02T15:04:05.000Z07:00"

var (
	ctx         = context.Background()
	objects     map[string]any
	contextType = reflect.TypeOf((*context.Context)(nil)).Elem()
	errorType   = reflect.TypeOf((*error)(nil)).Elem()
	actionType  = reflect.TypeOf((*mynah.Action)(nil)).Elem()
	timeType    = reflect.TypeOf(time.Time{})
)

// command is a line of the input.
type command struct {
	Do        string         `json:"do"`
	URL       string         `json:"url"`
	Name      string         `json:"name"`
	On        string         `json:"on"`
	Call      string         `json:"call"`
	Arguments []any          `json:"arguments"`
	Options   map[string]any `json:"options"`
	Saved     *string        `json:"saved"`
	Take      *int           `json:"take"`
	Paths     []string       `json:"paths"`
}

func main() {
	input := bufio.NewReader(os.Stdin)
	for {
		line, err := input.ReadBytes('\n')
		if err != nil {
			return
		}
		var given command
		must(json.Unmarshal(line, &given))
		answer, err := play(given)
		if err != nil {
			answer = map[string]any{"error": told(err)}
		}
		text, err := json.Marshal(answer)
		must(err)
		fmt.Println(string(text))
	}
}

func play(given command) (any, error) {
	switch given.Do {
	case "connect":
		server, err := mynah.Connect(ctx, given.URL)
		if err != nil {
			return nil, err
		}
		objects = map[string]any{"server": server, "mynah": server.Scope(given.Name)}
		return struct{}{}, nil
	case "call":
		result, err := call(given)
		if err != nil {
			return nil, err
		}
		if given.Saved != nil {
			objects[*given.Saved] = result
		}
		return struct{}{}, nil
	case "read":
		values := map[string]any{}
		for _, path := range given.Paths {
			found, err := find(path)
			if err != nil {
				return nil, err
			}
			values[path] = shown(found)
		}
		return map[string]any{"values": values}, nil
	}
	panic("unknown command " + given.Do)
}

// find gives an object, or what is in it: phone/registrations/0/topic.
func find(path string) (any, error) {
	names := strings.Split(path, "/")
	value := objects[names[0]]
	for _, name := range names[1:] {
		next, err := member(value, name)
		if err != nil || next == nil {
			return nil, err
		}
		value = next
	}
	return value, nil
}

func member(value any, name string) (any, error) {
	if result, isResult := value.(*mynah.ExpectationResult); isResult && name == "text" {
		return result.String(), nil
	}
	if text, isJSON := value.(json.RawMessage); isJSON {
		var document any
		must(json.Unmarshal(text, &document))
		value = document
	}
	found := reflect.ValueOf(value)
	if content := reflect.Indirect(found); content.Kind() == reflect.Struct {
		if field, isThere := fieldOf(content, name); isThere {
			return opened(field), nil
		}
		method := methodOf(found, name)
		return results(method.Call(contextFor(method)))
	}
	switch found.Kind() {
	case reflect.Map:
		if one := found.MapIndex(reflect.ValueOf(name)); one.IsValid() {
			return opened(one), nil
		}
		return nil, nil
	case reflect.Slice:
		index, err := strconv.Atoi(name)
		must(err)
		return opened(found.Index(index)), nil
	}
	panic(fmt.Sprintf("%T has no %s", value, name))
}

// fieldOf is the field that has this name in the API.
func fieldOf(found reflect.Value, name string) (reflect.Value, bool) {
	for _, field := range reflect.VisibleFields(found.Type()) {
		if field.IsExported() && !field.Anonymous && field.Tag.Get("json") == name {
			return found.FieldByIndex(field.Index), true
		}
	}
	return reflect.Value{}, false
}

// methodOf is the method that has this name in the API, in its own case.
func methodOf(found reflect.Value, name string) reflect.Value {
	for index := 0; index < found.NumMethod(); index++ {
		if strings.EqualFold(found.Type().Method(index).Name, name) {
			return found.Method(index)
		}
	}
	panic(fmt.Sprintf("%v has no %s", found.Type(), name))
}

// opened is a value without pointers and Optional; nil if there is none.
func opened(found reflect.Value) any {
	if get := found.MethodByName("Get"); get.IsValid() && strings.HasPrefix(found.Type().Name(), "Optional[") {
		values := get.Call(nil)
		if !values[1].Bool() {
			return nil
		}
		return opened(values[0])
	}
	switch found.Kind() {
	case reflect.Interface:
		if found.IsNil() {
			return nil
		}
		return opened(found.Elem())
	case reflect.Pointer:
		if found.IsNil() {
			return nil
		}
		// Methods of records are called on their pointers.
		if found.Elem().Kind() != reflect.Struct || found.Elem().Type() == timeType {
			return opened(found.Elem())
		}
	}
	return found.Interface()
}

func contextFor(method reflect.Value) []reflect.Value {
	if method.Type().NumIn() > 0 && method.Type().In(0) == contextType {
		return []reflect.Value{reflect.ValueOf(ctx)}
	}
	return nil
}

// results gives what a method returns, whose last value may be an error.
func results(values []reflect.Value) (any, error) {
	if last := len(values) - 1; last >= 0 && values[last].Type() == errorType {
		if !values[last].IsNil() {
			return nil, values[last].Interface().(error)
		}
		values = values[:last]
	}
	if len(values) == 0 {
		return nil, nil
	}
	return values[0].Interface(), nil
}

func call(given command) (any, error) {
	object, err := find(given.On)
	if err != nil {
		return nil, err
	}
	name := given.Call
	positional := given.Arguments
	options := given.Options
	if to, isGiven := options["to"]; isGiven && name == "advance" {
		name = "advanceTo"
		positional = []any{to}
		options = nil
	}
	method := methodOf(reflect.ValueOf(object), name)
	values := contextFor(method)
	kinds := method.Type()
	for kinds.NumIn() > len(values) && (len(positional) > 0 || len(options) > 0) {
		kind := kinds.In(len(values))
		if kinds.IsVariadic() && len(values) >= kinds.NumIn()-1 {
			break
		}
		if len(positional) == 0 {
			panic(name + " has no such options")
		}
		first := positional[0]
		if topics, isList := first.([]any); isList && kind.Kind() == reflect.String {
			first = topics[0]
			options = withApps(options, topics[1:])
		}
		values = append(values, argument(first, kind))
		positional = positional[1:]
	}
	if kinds.IsVariadic() {
		kind := kinds.In(kinds.NumIn() - 1).Elem()
		for _, one := range positional {
			values = append(values, argument(one, kind))
		}
		positional = nil
		if len(options) > 0 {
			values = append(values, argument(any(options), kind))
			options = nil
		}
	}
	if len(positional) > 0 || len(options) > 0 {
		panic(fmt.Sprintf("%s does not take %v %v", name, positional, options))
	}
	result, err := results(method.Call(values))
	if err != nil || given.Take == nil {
		return result, err
	}
	return taken(result.(*mynah.EventStream), *given.Take)
}

// withApps gives options that have further apps, before those that are there.
func withApps(options map[string]any, topics []any) map[string]any {
	if len(topics) == 0 {
		return options
	}
	apps := []any{}
	for _, topic := range topics {
		apps = append(apps, map[string]any{"topic": topic})
	}
	others, _ := options["registrations"].([]any)
	whole := map[string]any{"registrations": append(apps, others...)}
	for name, value := range options {
		if name != "registrations" {
			whole[name] = value
		}
	}
	return whole
}

func taken(stream *mynah.EventStream, count int) (any, error) {
	defer stream.Close()
	var events []mynah.Event
	for len(events) < count && stream.Next() {
		events = append(events, stream.Event())
	}
	return events, stream.Err()
}

// argument is a value as a method takes it; {"$": path} stands for an object.
func argument(value any, kind reflect.Type) reflect.Value {
	if reference, isMap := value.(map[string]any); isMap && reference["$"] != nil {
		object, err := find(reference["$"].(string))
		must(err)
		return reflect.ValueOf(object)
	}
	if kind == actionType {
		return reflect.ValueOf(actionOf(value))
	}
	switch kind {
	case reflect.TypeOf((*mynah.ActivityRef)(nil)).Elem():
		return reflect.ValueOf(mynah.ActivityID(value.(string)))
	case reflect.TypeOf((*mynah.NotificationRef)(nil)).Elem():
		return reflect.ValueOf(mynah.Sequence(value.(float64)))
	case reflect.TypeOf((*mynah.ConnectionRef)(nil)).Elem():
		return reflect.ValueOf(mynah.ConnectionID(value.(float64)))
	case reflect.TypeOf(time.Duration(0)):
		return reflect.ValueOf(time.Duration(read(value, reflect.TypeOf(mynah.Duration(0))).Interface().(mynah.Duration)))
	case reflect.TypeOf(mynah.ScenarioSpecification{}):
		if name, isName := value.(string); isName {
			value = map[string]any{"name": name}
		}
	}
	if kind.Kind() == reflect.Struct {
		if members, isMap := value.(map[string]any); isMap {
			return structOf(members, kind)
		}
	}
	return read(value, kind)
}

// structOf makes options of their names in the API; a name that they don't have ends the player.
func structOf(members map[string]any, kind reflect.Type) reflect.Value {
	made := reflect.New(kind).Elem()
	for name, value := range members {
		field, isThere := fieldOf(made, name)
		if !isThere {
			panic(fmt.Sprintf("%v has no %s", kind, name))
		}
		_, isList := value.([]any)
		switch {
		case value == nil && field.Kind() == reflect.Interface:
			field.Set(reflect.ValueOf(mynah.None))
		case field.Kind() == reflect.Slice && !isList:
			field.Set(read([]any{value}, field.Type()))
		default:
			field.Set(read(value, field.Type()))
		}
	}
	return made
}

// read makes a value of its JSON.
func read(value any, kind reflect.Type) reflect.Value {
	text, err := json.Marshal(value)
	must(err)
	made := reflect.New(kind)
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	must(decoder.Decode(made.Interface()))
	return made.Elem()
}

func actionOf(value any) mynah.Action {
	switch one := value.(type) {
	case float64:
		return mynah.Answer(one)
	case string:
		return mynah.Preset(one)
	case []any:
		actions := mynah.Actions{}
		for _, each := range one {
			actions = append(actions, actionOf(each))
		}
		return actions
	}
	return read(value, reflect.TypeOf(mynah.FaultAction{})).Interface().(mynah.FaultAction)
}

// told is an error as vectors name it.
func told(err error) map[string]any {
	kind := ""
	further := map[string]any{}
	var (
		unmetExpectation *mynah.ExpectationUnmet
		unmet            *mynah.UnmetError
		refused          *mynah.ControlError
		unavailable      *mynah.UnavailableError
		wrong            *mynah.ArgumentError
		missing          *mynah.MissingError
	)
	switch {
	case errors.As(err, &unmetExpectation):
		kind = "ExpectationUnmet"
	case errors.As(err, &unmet):
		kind = "UnmetError"
	case errors.As(err, &unavailable):
		kind = "UnavailableError"
	case errors.As(err, &wrong):
		kind = "ArgumentError"
	case errors.As(err, &missing):
		kind = "MissingError"
	case errors.As(err, &refused):
		kind = "ControlError"
		further = map[string]any{
			"status": refused.Status, "field": refused.Field, "allowed": refused.Allowed, "type": refused.Type,
		}
	default:
		panic(err)
	}
	further["kind"] = kind
	further["message"] = err.Error()
	return further
}

// shown is a value as JSON; of a record only that it is there.
func shown(value any) any {
	switch one := value.(type) {
	case nil:
		return nil
	case time.Time:
		return one.UTC().Format(timeForm)
	case time.Duration:
		return mynah.Duration(one).String()
	case mynah.Duration:
		return one.String()
	case json.RawMessage:
		return one
	}
	found := reflect.ValueOf(opened(reflect.ValueOf(value)))
	switch found.Kind() {
	case reflect.Struct, reflect.Pointer:
		return reflect.Indirect(found).Type().Name()
	case reflect.Slice:
		items := []any{}
		for index := 0; index < found.Len(); index++ {
			items = append(items, shown(opened(found.Index(index))))
		}
		return items
	case reflect.Map:
		members := map[string]any{}
		for _, key := range found.MapKeys() {
			members[key.String()] = shown(opened(found.MapIndex(key)))
		}
		return members
	}
	return value
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
