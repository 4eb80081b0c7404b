/** Checks what the endpoints of a team's modules declare. The compiler and tests check the shipped ones. */
import { DURATION_PATTERN, didYouMean } from '../base/index.ts'
import type { AllowedEndpoint, AllowKeyword } from '../contract/index.ts'
import type { CheckContext } from './check-context.ts'
import { permissionsOf } from './declared-access.ts'
import { type Diagnostic, diagnosticAt } from './diagnostic.ts'
import { declaredEndpoints } from './endpoints.ts'
import type { RecipeValue } from './shape.ts'
import { keyLocation, type MapTree } from './tree.ts'

const KEYWORDS: readonly string[] = ['user', 'public', 'joinToken', 'signature'] satisfies AllowKeyword[]
const DURATION = new RegExp(DURATION_PATTERN)

export function endpointProblems(value: RecipeValue, { tree, modules, complete, isValid }: CheckContext): Diagnostic[] {
  const own = modules.filter(({ key, source }) => source !== 'larder' && isValid(['modules', key]))
  if (own.length === 0 || !complete) return []
  const known = [...KEYWORDS, ...modules.flatMap(({ module }) => permissionsOf(module).map(({ key }) => key))]
  const { endpoints } = declaredEndpoints(own, value, tree, ['routes', 'rawRoutes', 'sockets', 'pages'])
  return endpoints.flatMap(endpoint => [...allowProblems(endpoint, known, tree), ...recentAuthProblems(endpoint, tree)])
}

const allowProblems = ({ module, method, path, allow }: AllowedEndpoint, known: string[], tree: MapTree) =>
  allow
    .filter(word => !known.includes(word))
    .map(word => {
      const location = ['modules', module]
      const message = `Unknown permission "${word}" in "allow" of ${method} ${path}`
      const hint = didYouMean(word, known) ?? `Declare it in "permissions" of the module`
      return diagnosticAt('unknown_permission', keyLocation(tree, location), location, message, hint)
    })

function recentAuthProblems({ module, method, path, recentAuth }: AllowedEndpoint, tree: MapTree): Diagnostic[] {
  if (recentAuth === undefined || DURATION.test(recentAuth)) return []
  const location = ['modules', module]
  const message = `"recentAuth" of ${method} ${path} is "${recentAuth}", which isn't a duration`
  return [diagnosticAt('invalid_value', keyLocation(tree, location), location, message, 'Write for example 10m or 1h')]
}
