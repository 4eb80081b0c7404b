/**
 * Every place that works across tenants, with the reasons that its code gives. A new one is added here on purpose:
 * row level security does not hold there, so its statements are read with care.
 */
export const SYSTEM_PLACES: Readonly<Record<string, readonly string[]>> = {}
