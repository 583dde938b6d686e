package mynah

import (
	"context"
	"time"
)

// Clock is the clock of a scope's devices: storage, expiry, budgets, screens. Trust and connections use the server's.
type Clock struct {
	control *ControlAPI
	// Empty for the server's clock, which all tests share.
	scope string
}

// Advance advances by a duration; everything due is in journals and inboxes when this is done.
func (c *Clock) Advance(ctx context.Context, by time.Duration) (*ClockReport, error) {
	return c.advance(ctx, "by", by)
}

// AdvanceTo advances to a time.
func (c *Clock) AdvanceTo(ctx context.Context, to time.Time) (*ClockReport, error) {
	return c.advance(ctx, "to", to)
}

// AdvanceToNext advances to the next event due.
func (c *Clock) AdvanceToNext(ctx context.Context) (*ClockReport, error) {
	return c.advance(ctx, "to", "next")
}

func (c *Clock) advance(ctx context.Context, name string, value any) (*ClockReport, error) {
	r := newRequest("POST", "/v1/clock/advance")
	r.inScope("body", c.scope)
	r.give("body", name, value)
	return recordOf[ClockReport](ctx, c.control, r)
}
