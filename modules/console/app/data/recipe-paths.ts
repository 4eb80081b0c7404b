/**
 * Operations that the types of the console lack: those of a team's modules, as `larder types` writes them. A module
 * declares them once, see docs/console.md.
 */
export interface RecipePaths {}
