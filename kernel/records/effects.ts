/** SQL conditions about the whole installation, for statements of workers. */

/** The installation was restored and not resumed: it sends nothing, because its original may have sent it. */
export const IS_HELD_SQL = 'exists (select from larder_installation held where held.held_since is not null)'

/** A backup runs, whose snapshot may name a file that is deleted by now. Checked before files are deleted. */
export const IS_BACKED_UP_SQL = `not pg_try_advisory_xact_lock_shared(hashtextextended('larder backup', 0))`
