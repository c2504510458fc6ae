/** Phones are a little more than twice as high as they are wide; their screenshots fit on a screen. */
const TALL = 2.5;

/** Whether a picture would be too narrow to be read if all of its height were on the screen. */
export const isTallPicture = (width: number, height: number): boolean => height > TALL * width;
