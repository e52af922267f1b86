#include "logger.h"

#include "../plugins/base/error.h"

#include <pthread.h>

typedef struct logger {
  ur_logger_callback_t callback;
  void *data;
  ur_logger_level_t level;
} logger;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static logger current = {.level = UR_LOGGER_LEVEL_QUIET};

static ur_logger_level_t level_of(pi_result code) {
  if (code >= PI_SUCCESS)
    return UR_LOGGER_LEVEL_INFO;
  return code == PI_ERROR_UNSUPPORTED_FEATURE ? UR_LOGGER_LEVEL_DEBUG : UR_LOGGER_LEVEL_ERROR;
}

/* Calls the callback without holding the lock, because the callback may call the adapter. */
static void log_sentence(pi_result code, const char *sentence) {
  pthread_mutex_lock(&lock);
  const logger to = current;
  pthread_mutex_unlock(&lock);
  const ur_logger_level_t level = level_of(code);
  if (to.callback && level >= to.level)
    to.callback(level, sentence, to.data);
}

void logger_set(ur_logger_callback_t callback, void *data, ur_logger_level_t level) {
  pthread_mutex_lock(&lock);
  current = (logger){callback, data, level};
  pthread_mutex_unlock(&lock);
  plugin_error_listen(callback ? log_sentence : NULL);
}

void logger_set_level(ur_logger_level_t level) {
  pthread_mutex_lock(&lock);
  current.level = level;
  pthread_mutex_unlock(&lock);
}
