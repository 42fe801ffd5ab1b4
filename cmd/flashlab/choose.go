package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"flashlab/lessons"
	"flashlab/sim/scenario"
	"flashlab/sim/token"
)

// choice is what a command line asks for: a variant of a lesson at some sizes.
type choice struct {
	variant string
	sets    []string
	from    string // where the sizes come from, for messages; "" is --set
}

func (c *choice) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.variant, "variant", "", "take this `VARIANT` of the lesson (default: the first)")
	cmd.Flags().StringArrayVar(&c.sets, "set", nil, "set a size or budget, `NAME=N` such as buyers=3; may be repeated")
	cmd.ValidArgsFunction = lessonNames
	// The flag was defined three lines above.
	_ = cmd.RegisterFlagCompletionFunc("variant", func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		var names []string
		if len(args) > 0 {
			if l, err := lessons.Find(args[0]); err == nil {
				for _, v := range l.Variants {
					names = append(names, v.Name+"\t"+v.Title.EN)
				}
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	})
}

// lessonNames completes the name of a lesson.
func lessonNames(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var names []string
	if len(args) == 0 {
		for _, l := range lessons.All() {
			names = append(names, l.Name+"\t"+l.Title.EN)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// resolve finds the lesson and the variant and applies the sizes.
func (c *choice) resolve(lesson string) (*lessons.Lesson, *lessons.Variant, *scenario.Scenario, error) {
	l, err := lessons.Find(lesson)
	if err != nil {
		return nil, nil, nil, usage(err)
	}
	v, err := l.Variant(c.variant)
	if err != nil {
		return nil, nil, nil, usage(err)
	}
	from := cmp.Or(c.from, "--set")
	p := scenario.NewParams(v.Params)
	seen := map[string]bool{}
	for _, kv := range strings.Split(strings.Join(c.sets, ","), ",") {
		if len(c.sets) == 0 {
			break
		}
		if p, err = p.Set(kv); err != nil {
			return nil, nil, nil, usage(fmt.Errorf("%s: %w", from, err))
		}
		k, _, _ := strings.Cut(strings.TrimSpace(kv), "=")
		if seen[k] {
			return nil, nil, nil, usage(fmt.Errorf("%s: %s is given twice: leave one out", from, k))
		}
		seen[k] = true
	}
	return l, v, v.Scenario(p), nil
}

// adopt takes variant and sizes from a token and refuses what contradicts it.
func (c *choice) adopt(lesson string, t token.Token) error {
	if _, err := lessons.Find(t.Lesson); err != nil {
		return usage(fmt.Errorf("--schedule: %w", err))
	}
	if t.Lesson != lesson {
		return usage(fmt.Errorf("--schedule: the token belongs to lesson %s, not %s: use flashlab run %s", t.Lesson, lesson, t.Lesson))
	}
	if c.variant != "" && c.variant != t.Variant {
		return usage(fmt.Errorf("--schedule: the token belongs to variant %s, not %s: leave out --variant", t.Variant, c.variant))
	}
	if len(c.sets) > 0 {
		return usage(fmt.Errorf("--schedule: the token brings its own sizes: leave out --set"))
	}
	c.variant, c.from = t.Variant, "--schedule: the sizes of the token"
	if t.Sets != "" {
		c.sets = []string{t.Sets}
	}
	return nil
}
