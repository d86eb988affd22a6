# Starts the emulator with what it leaves out of IAM: DynamoDB's leading keys and attributes, and the rights of a deployment.
import runpy

import attributes
import deployment_rights
import leading_keys

assert attributes and deployment_rights and leading_keys
runpy.run_module("ministack", run_name="__main__", alter_sys=True)
