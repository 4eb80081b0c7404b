import { movedSocket } from '@larder-dev/larder/kernel/internal'

export const messagingSockets = () => [movedSocket('/messaging/realtime', '/v1/realtime')]
