/** The role that serves requests: it logs in and is subject to row level security. */
export const APP_ROLE = 'larder_app'
/** The role that the app role switches to for work across tenants. */
export const SYSTEM_ROLE = 'larder_system'
