class AndroidEnvInterface:
    pass
