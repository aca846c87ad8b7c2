class AdbControllerError(Exception):
    pass
