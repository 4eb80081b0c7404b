/** The workspace of the address, `/console/<slug>/…`. A switch loads another document. */

/** What the server wrote into the document. */
export const metaOf = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''

/** Whether modules of the product add screens. */
export const hasModuleScreens = Number(metaOf('module-screens')) > 0

const id = metaOf('workspace-id')
/** Null for a person without a workspace. */
export const workspace = id === '' ? null : { id, slug: metaOf('workspace-slug') }

/** The address of a page of the product that shows this workspace. */
export const pageAddress = (path: string): string => (workspace ? `${path}?workspace=${workspace.slug}` : path)

/** Leads to the current workspace of the site. */
export const CONSOLE = '/console'
/** Every path of the router is below it. */
export const BASE = workspace ? `${CONSOLE}/${workspace.slug}` : CONSOLE
