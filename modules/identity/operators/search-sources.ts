/** People and workspaces in the operator's search. */
import { Problem, type Registrations } from '@larder-dev/larder/kernel'
import type { IdentitySettings } from '../options.ts'
import type { Directory } from './directory.ts'

type Source = Registrations['search'][number]

interface Needs {
  readonly directory: Directory
  readonly settings: Pick<IdentitySettings, 'customerRole'>
}

/** A product of people has one workspace, which nobody searches for. */
export const searchSources = ({ directory, settings }: Needs): Source[] => [
  people(directory),
  ...(settings.customerRole === undefined ? [workspaces(directory)] : []),
]

const people = (directory: Directory): Source => ({
  name: 'people',
  title: 'People',
  allow: 'identity.user.read_all',
  resource: 'identity.people',
  async find(words, limit) {
    const found = words.startsWith('usr_')
      ? await orNothing(directory.user(words))
      : (await directory.users({ q: words, limit })).data
    return found.map(({ id, name, email }) => ({
      id,
      title: name ?? email,
      detail: name === null ? null : email,
      tenantId: null,
    }))
  },
})

const workspaces = (directory: Directory): Source => ({
  name: 'workspaces',
  title: 'Workspaces',
  allow: 'identity.tenant.read_all',
  resource: 'identity.workspaces',
  async find(words, limit) {
    const found = words.startsWith('ten_')
      ? await orNothing(directory.tenant(words))
      : (await directory.tenants({ q: words, limit })).data
    return found.map(({ id, name, slug }) => ({ id, title: name, detail: slug, tenantId: null }))
  },
})

/** Returns an empty list for an ID that no record has. */
async function orNothing<T>(found: Promise<T>): Promise<T[]> {
  try {
    return [await found]
  } catch (error) {
    if (Problem.is(error) && error.code === 'not_found') return []
    throw error
  }
}
