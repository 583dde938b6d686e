// Package mynah starts or finds a Mynah, an APNs on localhost, sets up devices, faults and time in it, and asserts on
// the pushes that it received.
//
// Package mynahtest, below this one, has the same calls for tests, which end with an error in them. Here a call takes a
// context, and gives an error: a *ControlError if the server refuses it, an *UnavailableError if none answers.
//
// Options are structs, whose members have the API's names. What may be left out is an Optional: Set gives it a value,
// and Null clears it. Filters are values, slices of which any element matches, or conditions such as Prefix.
package mynah
