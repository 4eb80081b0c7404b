import { defineOperatorErrors } from '@larder-dev/larder/kernel/internal'

/** Errors of the bus that the operator has to resolve. */
export const operatorErrors = defineOperatorErrors({
  bus_redis_unreachable: [
    'The bus cannot connect to Redis at {server}: {reason}.',
    'Check REDIS_URL and that the server is running, or set BUS to postgres.',
  ],
})
