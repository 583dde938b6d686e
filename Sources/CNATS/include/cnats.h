#ifndef MYNAH_CNATS_H
#define MYNAH_CNATS_H

#include <stdbool.h>
#include <stdint.h>

/// The functions of libnats that are used: result, name, parameters.
///
/// All of them take whole numbers, texts and pointers to what the library alone knows, so that each 3.x has them in the
/// same form. They are declared here because a build needs no header of the library, nor does a program the library
/// itself, which is opened when a cluster is wanted. Where the header is there, cnats.c compares these with it.
#define MYNAH_NATS_FUNCTIONS(F)                                                                                        \
    F(nats_status, natsOptions_Create, (natsOptions * *options))                                                       \
    F(void, natsOptions_Destroy, (natsOptions * options))                                                              \
    F(nats_status, natsOptions_SetServers, (natsOptions * options, const char **servers, int count))                   \
    F(nats_status, natsOptions_SetName, (natsOptions * options, const char *name))                                     \
    F(nats_status, natsOptions_SetSecure, (natsOptions * options, bool secure))                                        \
    F(nats_status, natsOptions_LoadCATrustedCertificates, (natsOptions * options, const char *file))                   \
    F(nats_status, natsOptions_SetUserCredentialsFromFiles,                                                            \
      (natsOptions * options, const char *file, const char *seed_file))                                                \
    F(nats_status, natsOptions_SetTimeout, (natsOptions * options, int64_t milliseconds))                              \
    F(nats_status, natsOptions_SetPingInterval, (natsOptions * options, int64_t milliseconds))                         \
    F(nats_status, natsOptions_SetMaxPingsOut, (natsOptions * options, int count))                                     \
    F(nats_status, natsOptions_SetMaxReconnect, (natsOptions * options, int count))                                    \
    F(nats_status, natsOptions_SetReconnectWait, (natsOptions * options, int64_t milliseconds))                        \
    F(nats_status, natsOptions_SetSendAsap, (natsOptions * options, bool is_wanted))                                   \
    F(nats_status, natsOptions_SetWriteDeadline, (natsOptions * options, int64_t milliseconds))                        \
    F(nats_status, natsOptions_SetErrorHandler, (natsOptions * options, nats_error_handler handler, void *closure))    \
    F(nats_status, natsConnection_Connect, (natsConnection * *connection, natsOptions * options))                      \
    F(void, natsConnection_Close, (natsConnection * connection))                                                       \
    F(void, natsConnection_Destroy, (natsConnection * connection))                                                     \
    F(int64_t, natsConnection_GetMaxPayload, (natsConnection * connection))                                            \
    F(nats_status, natsConnection_PublishMsg, (natsConnection * connection, natsMsg * message))                        \
    F(nats_status, natsConnection_RequestMsg,                                                                          \
      (natsMsg * *reply, natsConnection * connection, natsMsg * request, int64_t milliseconds))                        \
    F(nats_status, natsConnection_Subscribe,                                                                           \
      (natsSubscription * *subscription, natsConnection * connection, const char *subject,                             \
       nats_message_handler handler, void *closure))                                                                   \
    F(nats_status, natsSubscription_SetPendingLimits, (natsSubscription * subscription, int messages, int bytes))      \
    F(nats_status, natsSubscription_SetOnCompleteCB,                                                                   \
      (natsSubscription * subscription, nats_complete_handler handler, void *closure))                                 \
    F(nats_status, natsSubscription_Unsubscribe, (natsSubscription * subscription))                                    \
    F(void, natsSubscription_Destroy, (natsSubscription * subscription))                                               \
    F(nats_status, natsInbox_Create, (char **inbox))                                                                   \
    F(void, natsInbox_Destroy, (char *inbox))                                                                          \
    F(nats_status, natsMsg_Create,                                                                                     \
      (natsMsg * *message, const char *subject, const char *reply, const char *data, int count))                       \
    F(void, natsMsg_Destroy, (natsMsg * message))                                                                      \
    F(const char *, natsMsg_GetSubject, (const natsMsg *message))                                                      \
    F(const char *, natsMsg_GetReply, (const natsMsg *message))                                                        \
    F(const char *, natsMsg_GetData, (const natsMsg *message))                                                         \
    F(int, natsMsg_GetDataLength, (const natsMsg *message))                                                            \
    F(nats_status, natsMsgHeader_Set, (natsMsg * message, const char *key, const char *value))                         \
    F(nats_status, natsMsgHeader_Get, (natsMsg * message, const char *key, const char **value))                        \
    F(const char *, natsStatus_GetText, (nats_status status))                                                          \
    F(const char *, nats_GetLastError, (nats_status * status))

typedef struct __natsOptions natsOptions;
typedef struct __natsConnection natsConnection;
typedef struct __natsSubscription natsSubscription;
typedef struct __natsMsg natsMsg;

/// 0 is success.
typedef unsigned int nats_status;
typedef void (*nats_message_handler)(
    natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *closure);
typedef void (*nats_complete_handler)(void *closure);
typedef void (*nats_error_handler)(
    natsConnection *connection, natsSubscription *subscription, nats_status status, void *closure);

#define MYNAH_NATS_MEMBER(result, name, parameters) result(*name) parameters;

/// The library's functions, once it is open.
typedef struct {
    MYNAH_NATS_FUNCTIONS(MYNAH_NATS_MEMBER)
} mynah_nats_functions;

/// Opens the library; returns NULL, or why it can't be used. Not for two threads at once.
const char *mynah_nats_open(void);

/// The functions of the library, which has been opened.
const mynah_nats_functions *mynah_nats(void);

#endif
