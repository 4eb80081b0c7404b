import { idPattern, Type } from '@larder-dev/larder/kernel'

export const Seq = (description: string) => Type.Integer({ minimum: 0, description })
export const UserId = Type.String({ pattern: idPattern('usr'), examples: ['usr_01hzy0j8x4e7r9k2m5p8q1s3t6'] })
