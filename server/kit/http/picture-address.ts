/** Beginning of the path of a picture; its code follows. */
export const PICTURE_PATH = '/pictures/';

/** Address of a picture. `base`: public address of the service. */
export const pictureUrl = (base: string, code: string): string => `${base}${PICTURE_PATH}${code}`;
