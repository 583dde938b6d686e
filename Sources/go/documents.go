package mynah

import (
	"fmt"
	"reflect"
	"strings"
	"time"
)

// timeForm is how the API writes times.
const timeForm = "2006-01-02T15:04:05.999Z07:00"

var ownPackage = reflect.TypeOf(Device{}).PkgPath()

// plain gives a value of this package as maps, lists and texts for JSON, without the members that are left out. What
// others have made, such as a payload, stays as it is.
func plain(value any) (any, error) {
	switch one := value.(type) {
	case nil, none:
		return value, nil
	case time.Time:
		return one.UTC().Format(timeForm), nil
	case time.Duration:
		return Duration(one).String(), nil
	case Duration:
		return one.String(), nil
	case optional:
		content, _ := one.content()
		return plain(content)
	}
	found := reflect.ValueOf(value)
	switch found.Kind() {
	case reflect.Pointer:
		if found.IsNil() {
			return nil, wrongArgument("wrong value: a nil %T: expected a value, Exists(false) as a filter, or None", value)
		}
		return plain(found.Elem().Interface())
	case reflect.Struct:
		if found.Type().PkgPath() != ownPackage {
			return value, nil
		}
		return plainMembers(found)
	case reflect.Map:
		if found.Type().Key().Kind() != reflect.String {
			return value, nil
		}
		members := make(map[string]any, found.Len())
		for _, key := range found.MapKeys() {
			member, err := plain(found.MapIndex(key).Interface())
			if err != nil {
				return nil, err
			}
			members[key.String()] = member
		}
		return members, nil
	case reflect.Slice, reflect.Array:
		if found.Type().Elem().Kind() == reflect.Uint8 {
			return value, nil
		}
		items := make([]any, found.Len())
		for index := range items {
			item, err := plain(found.Index(index).Interface())
			if err != nil {
				return nil, err
			}
			items[index] = item
		}
		return items, nil
	}
	return value, nil
}

// plainMembers gives a struct of this package as a map.
func plainMembers(found reflect.Value) (map[string]any, error) {
	members := map[string]any{}
	for index := 0; index < found.NumField(); index++ {
		field := found.Type().Field(index)
		if !field.IsExported() {
			continue
		}
		value, isGiven := given(found.Field(index))
		if !isGiven {
			continue
		}
		if field.Anonymous {
			inner, err := plainMembers(reflect.ValueOf(value))
			if err != nil {
				return nil, err
			}
			for name, one := range inner {
				members[name] = one
			}
			continue
		}
		member, err := plain(value)
		if err != nil {
			return nil, named(err, field.Tag.Get("json"))
		}
		members[field.Tag.Get("json")] = member
	}
	return members, nil
}

// given gives the value of a field, and whether it has one.
func given(field reflect.Value) (any, bool) {
	switch field.Kind() {
	case reflect.Interface, reflect.Map, reflect.Slice, reflect.Pointer:
		if field.IsNil() {
			return nil, false
		}
	}
	value := field.Interface()
	if one, isOptional := value.(optional); isOptional {
		return one.content()
	}
	return value, true
}

// named says in an error for which argument a value is wrong.
func named(err error, name string) error {
	return wrongArgument("%s", strings.Replace(err.Error(), "wrong value: ", fmt.Sprintf("wrong filter %s: ", name), 1))
}

// pointerFilters have JSON pointers as the keys of their values.
var pointerFilters = map[string]bool{"payload": true, "screen": true, "webPush": true}

// partMark stands behind the name of a filter in a URL whose value is a part of the field's text.
const partMark = "~"

// pair is a parameter of a URL.
type pair struct {
	name, value string
}

// parametersOf gives a plain value as parameters of a URL: a list matches any of its values, Not all others, Contains a
// part of the field's text.
func parametersOf(name string, value any) ([]pair, error) {
	switch one := value.(type) {
	case none:
		return nil, wrongArgument("wrong filter %s: null: expected a value; only Expect has Exists(false)", name)
	case map[string]any:
		return objectParameters(name, one)
	case []any:
		if len(one) == 0 {
			return nil, wrongArgument("wrong filter %s: []: expected a value in it", name)
		}
		var pairs []pair
		for _, item := range one {
			text, err := textOfParameter(name, item)
			if err != nil {
				return nil, err
			}
			pairs = append(pairs, pair{name, text})
		}
		return pairs, nil
	}
	text, err := textOfParameter(name, value)
	if err != nil {
		return nil, err
	}
	return []pair{{name, text}}, nil
}

func objectParameters(name string, value map[string]any) ([]pair, error) {
	if len(value) == 0 {
		// No condition at all would select everything.
		return nil, wrongArgument("wrong filter %s: {}: expected a condition in it", name)
	}
	if !pointerFilters[strings.TrimPrefix(name, "!")] {
		other, isNot := value["not"]
		part, isPart := value["contains"]
		switch {
		case len(value) == 1 && isNot:
			return parametersOf("!"+name, other)
		case len(value) == 1 && isPart:
			return parametersOf(name+partMark, part)
		}
		const hint = "expected a value, Contains(…) or Not(…); only Expect has the other matchers"
		return nil, wrongArgument("wrong filter %s: %v: %s", name, value, hint)
	}
	var pairs []pair
	for _, pointer := range sortedNames(value) {
		inner, err := parametersOf(name+"."+pointer, value[pointer])
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, inner...)
	}
	return pairs, nil
}

func textOfParameter(name string, value any) (string, error) {
	found := reflect.ValueOf(value)
	switch found.Kind() {
	case reflect.String:
		return found.String(), nil
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint,
		reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return fmt.Sprint(value), nil
	}
	return "", wrongArgument("wrong filter %s: %v: expected a text, a number or a boolean", name, value)
}
