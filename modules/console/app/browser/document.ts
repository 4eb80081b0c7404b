/** The workspace of the address, `/console/<slug>/…`. A switch loads another document. */

/** What the server wrote into the document. */
export const metaOf = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''

/** Whether modules of the product add screens. */
export const hasModuleScreens = Number(metaOf('module-screens')) > 0

/** In a product of people, the operator's workspace is the only one. */
export const audience: 'people' | 'teams' = metaOf('audience') === 'people' ? 'people' : 'teams'

const id = metaOf('workspace-id')
/** Null for a person without a workspace. */
export const workspace = id === '' ? null : { id, slug: metaOf('workspace-slug') }

const logo = metaOf('logo')
/** Addresses of the product's logo. */
export const productLogo = logo === '' ? null : { light: logo, dark: metaOf('dark-logo') }

/** Groups of the navigation that the recipe puts first. */
export const firstGroups = metaOf('sidebar').split(' ').filter(Boolean)

/** Keys of modules and names of collections; `*` for all. */
const areas = new Set(metaOf('areas').split(' '))

/** Whether the console of this workspace has the screens of a module, or those of one resource. Grants nothing. */
export function hasArea(module: string, resource = ''): boolean {
  if (areas.has('*') || areas.has(module)) return true
  // The trash and the versions of a collection are named after it.
  return module === 'collections' && areas.has(resource.replace(/-.*/, ''))
}

/** False for an operator who looks into a workspace: their permissions in it are those of scope platform. */
export const isMember = metaOf('workspace-member') === 'true'

/** The address of a page of the product that shows this workspace. */
export const pageAddress = (path: string): string => (workspace ? `${path}?workspace=${workspace.slug}` : path)

/** Leads to the current workspace of the site. */
export const CONSOLE = '/console'
/** Every path of the router is below it. */
export const BASE = workspace ? `${CONSOLE}/${workspace.slug}` : CONSOLE
