BILSTM = None
