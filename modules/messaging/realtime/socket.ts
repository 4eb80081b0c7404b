import { movedSocket } from '@larder-dev/larder/kernel'

export const messagingSockets = () => [movedSocket('/messaging/realtime', '/v1/realtime')]
