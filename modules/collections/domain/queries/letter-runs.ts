/** Finds runs of letters in a text without spaces, in a time linear to the text: Aho and Corasick's automaton. Pure. */

interface State {
  readonly next: Map<string, State>
  /** The state of the longest end of its letters that also begins a run. Undefined for the first state. */
  fallback: State | undefined
  /** Length of the longest run that its letters end with. */
  longest: number
}

export interface RunFinder {
  /** Forgets the letters before: what comes next doesn't follow them. */
  restart(): void
  /** The length of the longest run that the letters up to this one end with; 0 for none. */
  lengthAfter(letter: string): number
}

export function createRunFinder(runs: readonly (readonly string[])[]): RunFinder {
  const first = automatonOf(runs)
  let state = first
  return {
    restart() {
      state = first
    },
    lengthAfter(letter) {
      state = followedBy(letter, state) ?? first
      return state.longest
    },
  }
}

function automatonOf(runs: readonly (readonly string[])[]): State {
  const first: State = { next: new Map(), fallback: undefined, longest: 0 }
  for (const run of runs) {
    let state = first
    for (const letter of run) {
      const next = state.next.get(letter) ?? { next: new Map(), fallback: first, longest: 0 }
      state.next.set(letter, next)
      state = next
    }
    state.longest = run.length
  }
  // Shorter ones first: those that a state falls back to are shorter than it is.
  const states = [...first.next.values()]
  for (const state of states)
    for (const [letter, next] of state.next) {
      next.fallback = followedBy(letter, state.fallback) ?? first
      next.longest ||= next.fallback.longest
      states.push(next)
    }
  return first
}

function followedBy(letter: string, state: State | undefined): State | undefined {
  for (let from = state; from; from = from.fallback) {
    const next = from.next.get(letter)
    if (next) return next
  }
  return undefined
}
