/** Checks the actions that definitions declare. A definition may be written in JavaScript. */
import { isRecord } from '../base/index.ts'
import { isAction } from '../contract/index.ts'
import type { CheckContext } from './check-context.ts'
import { type Diagnostic, diagnosticAt } from './diagnostic.ts'
import { keyLocation } from './tree.ts'

const NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/

export function actionProblems({ services, modules, tree }: CheckContext): Diagnostic[] {
  return [...services, ...modules].flatMap(({ key, module, path }) => {
    const report = ([message, hint]: Mistake) =>
      diagnosticAt('invalid_action', keyLocation(tree, path.slice(0, 2)), path.slice(0, 2), message, hint)
    const actions: unknown = module.actions ?? {}
    if (!isRecord(actions))
      return [
        report([`"actions" of ${module.role} "${key}" is not an object`, 'Write actions: { name: action({ … }) }']),
      ]
    return Object.entries(actions).flatMap(([name, action]) => mistakesOf(`${key}.${name}`, name, action).map(report))
  })
}

type Mistake = readonly [message: string, hint: string]

function mistakesOf(full: string, name: string, action: unknown): Mistake[] {
  const what = `Action "${full}"`
  if (!isAction(action)) return [[`${what} is not an action`, 'Make it with action({ … })']]
  const { title, input, effects, run }: { title?: unknown; input?: unknown; effects?: unknown; run?: unknown } = action
  const mistakes: (Mistake | false)[] = [
    !NAME.test(name) && [`${what} has an invalid name`, 'Use lower case and underscores, such as grant_credits'],
    (title === undefined || title === '') && [`${what} has no title`, 'Add title: "Send an email"'],
    !(isRecord(input) && input.type === 'object') && [`${what} has no input`, 'Add input: Type.Object({ … })'],
    effects !== 'database' &&
      effects !== 'outside' && [`${what} does not say what it affects`, 'Add effects: "database" or "outside"'],
    typeof run !== 'function' && [`${what} does nothing`, 'Add run: async (deps, input, context) => { … }'],
  ]
  return mistakes.filter(mistake => mistake !== false)
}
