import { Moon, Sun, SunMoon } from 'lucide-react';

export const themeIcons = { auto: SunMoon, light: Sun, dark: Moon };
