def press_home_button(env):
    env.execute_adb_call(["shell", "input", "keyevent", "KEYCODE_HOME"])
