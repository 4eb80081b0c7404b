import { common, type Deps, page } from 'larder/kernel'
import { problems } from '../problems.ts'
import { listDeadLetters, retryDeadLetter } from '../services/dead-letters.ts'
import { type ConsoleView, consoleView } from './console-view.ts'

/** Rows of each table. */
const MAX_ROWS = 50

/** `/console`: modules, queue and failures of all tenants. */
export const consolePages = ({ inspector }: Deps<'inspector'>) => {
  async function load(retried: string | undefined): Promise<{ data: ConsoleView }> {
    const [queue, dead, events] = await Promise.all([
      inspector.queue(),
      listDeadLetters(inspector, { tenantId: null, limit: MAX_ROWS }),
      inspector.events.list({ tenantId: null, limit: MAX_ROWS }),
    ])
    const { modules, info } = inspector
    return { data: consoleView({ info: info(), modules: modules(), queue, dead, events: events.data, retried }) }
  }
  return [
    page({
      name: 'platform.console',
      path: '/console',
      title: 'Console',
      allow: 'platform.tenant.read_all',
      load: ({ query }) => load(query.retried),
      async post({ form, caller }) {
        const permission = 'platform.tenant.retry_all'
        if (!caller.can(permission)) throw common.forbidden({ permission }, { requiredPermission: permission })
        const letter = await retryDeadLetter(inspector, form.id ?? '', null)
        if (!letter) throw problems.not_dead()
        // Redirects, so that a reload doesn't submit the form again.
        return { redirect: `/console?retried=${encodeURIComponent(letter.name)}` }
      },
    }),
  ]
}
